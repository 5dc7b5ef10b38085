package festinger

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"festinger/client/api"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// live returns a client of the server that FESTINGER_SERVER names.
func live(t *testing.T) *Client {
	t.Helper()
	address := os.Getenv("FESTINGER_SERVER")
	if address == "" {
		t.Skip("FESTINGER_SERVER names no memory server")
	}
	return connect(t, address, WithToken(os.Getenv("FESTINGER_TOKEN")))
}

func connect(t *testing.T, address string, options ...Option) *Client {
	t.Helper()
	client, err := New(address, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func ask(text string) *api.RecollectRequest {
	return &api.RecollectRequest{Turns: []*api.Turn{{Role: api.Turn_ROLE_USER, Text: text}}}
}

// A contradiction is an outcome and waits, until it is resolved.
func TestContradictionWaitsUntilItIsResolved(t *testing.T) {
	client, ctx := live(t), context.Background()
	first, err := client.Assert(ctx, "go_tool -isa compiler")
	if err != nil || first.GetVerdict() != api.Outcome_VERDICT_HELD {
		t.Fatalf("%v, %v", first, err)
	}
	second, err := client.Assert(ctx, "go_tool -isa game")
	if err != nil || second.GetVerdict() != api.Outcome_VERDICT_CONFLICTED {
		t.Fatalf("%v, %v", second, err)
	}
	var waiting []int64
	for conflict, err := range client.Conflicts(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		waiting = append(waiting, conflict.GetId())
	}
	if len(waiting) != 1 || waiting[0] != second.GetConflictId() {
		t.Fatalf("%v wait", waiting)
	}
	settled, err := client.Resolve(ctx, &api.ResolveRequest{
		ConflictId: waiting[0], Decision: api.Conflict_DECISION_UPDATE, Reasoning: "it plays",
	})
	if err != nil || settled.GetState() != api.Conflict_STATE_RESOLVED {
		t.Fatalf("%v, %v", settled, err)
	}
	concept, err := client.Concept(ctx, "go_tool")
	if err != nil || concept.GetEdges()[0].GetParent() != "game" {
		t.Fatalf("%v, %v", concept, err)
	}
}

// What is said is found, and told to a prompt that needs it.
func TestWhatIsSaidIsTold(t *testing.T) {
	client, ctx := live(t), context.Background()
	if _, err := client.Say(ctx, "The kiln in Marburg is serviced every March by Ferro Keramik."); err != nil {
		t.Fatal(err)
	}
	found, err := client.Search(ctx, "kiln serviced", 5)
	if err != nil || len(found.GetLines()) == 0 {
		t.Fatalf("%v, %v", found, err)
	}
	answer, err := client.Recollect(ctx, ask("Who services the kiln in Marburg?"))
	if err != nil || len(answer.GetLines()) == 0 {
		t.Fatalf("%v, %v", answer, err)
	}
}

// Answers of a stream find the goroutine that asked.
func TestStreamAnswersWhoAsked(t *testing.T) {
	client, ctx := live(t), context.Background()
	for number := range 8 {
		if _, err := client.Assert(ctx, fmt.Sprintf("gopher_%d -isa burrow_%d", number, number)); err != nil {
			t.Fatal(err)
		}
	}
	stream, err := client.OpenStream(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	var asking sync.WaitGroup
	for number := range 64 {
		asking.Add(1)
		go func() {
			defer asking.Done()
			name := fmt.Sprintf("gopher_%d", number%8)
			request := &api.RecollectStreamRequest{Request: ask("Tell me about " + name + ".")}
			answer, err := stream.Recollect(ctx, request)
			// Facts come before what was said.
			if err != nil || len(answer.GetLines()) == 0 || answer.GetLines()[0].GetConcept() != name {
				t.Errorf("%s: %v, %v", name, answer, err)
			}
		}()
	}
	asking.Wait()
}

// What is wrong with one request of a stream is its answer, and the stream goes on.
func TestStreamOutlivesABadRequest(t *testing.T) {
	client, ctx := live(t), context.Background()
	stream, err := client.OpenStream(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_, err = stream.Recollect(ctx, &api.RecollectStreamRequest{Request: ask("Hello."), Tenant: "nobody"})
	var refused *Error
	if !errors.As(err, &refused) || refused.Reason == "" {
		t.Fatalf("%v", err)
	}
	if _, err = stream.Recollect(ctx, &api.RecollectStreamRequest{Request: ask("Hello.")}); err != nil {
		t.Fatal(err)
	}
	stream.Close()
	_, err = stream.Recollect(ctx, &api.RecollectStreamRequest{Request: ask("Hello.")})
	if !errors.As(err, &refused) || refused.Code != codes.Canceled {
		t.Fatalf("%v", err)
	}
}

// An error names its reason.
func TestErrorNamesItsReason(t *testing.T) {
	client, ctx := live(t), context.Background()
	var refused *Error
	_, err := client.Assert(ctx, "nonsense")
	if !errors.As(err, &refused) || refused.Reason != "FACT_SYNTAX" || refused.Code != codes.InvalidArgument {
		t.Fatalf("%v", err)
	}
	_, err = client.Concept(ctx, "never_met_before")
	if !errors.As(err, &refused) || refused.Reason != "CONCEPT_NOT_FOUND" {
		t.Fatalf("%v", err)
	}
}

// A text is split into tokens with their places.
func TestTextIsSplit(t *testing.T) {
	tokens, err := live(t).Tokenise(context.Background(), "Grüße an Marburg")
	if err != nil || len(tokens) != 3 || tokens[2].GetText() != "marburg" || tokens[2].GetStartOffset() != 9 {
		t.Fatalf("%v, %v", tokens, err)
	}
}

// failing refuses each first attempt, and notes the request ids.
type failing struct {
	api.UnimplementedMemoryServiceServer
	mutex    sync.Mutex
	asserted []string
	read     int
}

func (it *failing) Assert(_ context.Context, request *api.AssertRequest) (*api.AssertResponse, error) {
	it.mutex.Lock()
	defer it.mutex.Unlock()
	it.asserted = append(it.asserted, request.GetRequestId())
	if len(it.asserted) == 1 {
		return nil, status.Error(codes.Unavailable, "starting")
	}
	return &api.AssertResponse{Outcome: &api.Outcome{Verdict: api.Outcome_VERDICT_HELD}}, nil
}

func (it *failing) Recollect(context.Context, *api.RecollectRequest) (*api.RecollectResponse, error) {
	it.mutex.Lock()
	defer it.mutex.Unlock()
	it.read++
	return nil, status.Error(codes.Unavailable, "starting")
}

func (it *failing) Tokenise(ctx context.Context, _ *api.TokeniseRequest) (*api.TokeniseResponse, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func serve(t *testing.T) (*failing, string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	servicer, server := &failing{}, grpc.NewServer()
	api.RegisterMemoryServiceServer(server, servicer)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return servicer, listener.Addr().String()
}

// A statement is tried again under one request id.
func TestStatementIsTriedAgainUnderOneID(t *testing.T) {
	servicer, address := serve(t)
	outcome, err := connect(t, address).Assert(context.Background(), "a -isa b")
	if err != nil || outcome.GetVerdict() != api.Outcome_VERDICT_HELD {
		t.Fatalf("%v, %v", outcome, err)
	}
	if len(servicer.asserted) != 2 || servicer.asserted[0] != servicer.asserted[1] {
		t.Fatalf("%v", servicer.asserted)
	}
}

// A prompt is read again only if its turns have digests, since it would teach twice.
func TestPromptIsReadAgainOnlyWithDigests(t *testing.T) {
	servicer, address := serve(t)
	client := connect(t, address)
	request := ask("My name is Ada.")
	if _, err := client.Recollect(context.Background(), request); !Unavailable(err) || servicer.read != 1 {
		t.Fatalf("%v after %d", err, servicer.read)
	}
	request.Turns[0].Digest = []byte("a turn")
	if _, err := client.Recollect(context.Background(), request); !Unavailable(err) || servicer.read != 1+tries {
		t.Fatalf("%v after %d", err, servicer.read)
	}
}

// A call ends at the client's timeout where its context has no deadline.
func TestCallEndsAtItsTimeout(t *testing.T) {
	_, address := serve(t)
	client := connect(t, address, WithTimeout(50*time.Millisecond))
	_, err := client.Tokenise(context.Background(), "anything")
	var late *Error
	if !errors.As(err, &late) || late.Code != codes.DeadlineExceeded {
		t.Fatalf("%v", err)
	}
}
