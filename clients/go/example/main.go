// Command example states two facts that contradict each other and has a prompt recollected.
//
//	go run ./example 127.0.0.1:7700
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	festinger "festinger/client"
	"festinger/client/api"
)

func main() {
	address := "127.0.0.1:7700"
	if len(os.Args) > 1 {
		address = os.Args[1]
	}
	client, err := festinger.New(address)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	for _, fact := range []string{"gnommoweb -isa repo", "gnommoweb -isa database"} {
		outcome, err := client.Assert(ctx, fact)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s\n", fact, outcome.GetVerdict())
	}
	answer, err := client.Recollect(ctx, &api.RecollectRequest{Turns: []*api.Turn{
		{Role: api.Turn_ROLE_USER, Text: "Where does gnommoweb stand?"},
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.GetBlock())
}
