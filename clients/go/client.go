// Package festinger talks to a Festinger memory server: it states facts, asks what is
// known, and has prompts recollected.
//
//	client, err := festinger.New("127.0.0.1:7700")
//	if err != nil { … }
//	defer client.Close()
//	outcome, err := client.Assert(ctx, "gnommoweb -isa repo")
package festinger

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"iter"
	"net/url"
	"time"

	"festinger/client/api"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
)

// DefaultTimeout limits a call, with all its tries, whose context has no deadline.
const DefaultTimeout = 10 * time.Second

// Client is a connection to a memory server. It may be used by several goroutines.
type Client struct {
	connection *grpc.ClientConn
	metadata   metadata.MD
	timeout    time.Duration
	concepts   api.ConceptServiceClient
	conflicts  api.ConflictServiceClient
	lines      api.LineServiceClient
	memory     api.MemoryServiceClient
}

type settings struct {
	metadata    metadata.MD
	timeout     time.Duration
	credentials credentials.TransportCredentials
}

// Option changes how a client connects.
type Option func(*settings)

// WithTenant chooses the memory; the server's default otherwise.
func WithTenant(name string) Option {
	return func(it *settings) { it.metadata.Set("festinger-tenant", name) }
}

// WithToken sends a bearer token.
func WithToken(token string) Option {
	return func(it *settings) { it.metadata.Set("authorization", "Bearer "+token) }
}

// WithProject says where the agent works; its name may be in any script.
func WithProject(name string) Option {
	return func(it *settings) {
		it.metadata.Set("festinger-project", url.PathEscape(name))
	}
}

// WithTLS encrypts the connection; it is plain text otherwise.
func WithTLS(config *tls.Config) Option {
	return func(it *settings) { it.credentials = credentials.NewTLS(config) }
}

// WithTimeout limits calls whose context has no deadline; DefaultTimeout otherwise.
func WithTimeout(limit time.Duration) Option {
	return func(it *settings) { it.timeout = limit }
}

// New prepares a client of the server at HOST:PORT; it connects at the first call.
func New(address string, options ...Option) (*Client, error) {
	chosen := settings{
		metadata:    metadata.MD{},
		timeout:     DefaultTimeout,
		credentials: insecure.NewCredentials(),
	}
	for _, option := range options {
		option(&chosen)
	}
	connection, err := grpc.NewClient(
		address,
		grpc.WithTransportCredentials(chosen.credentials),
		// The server is named by its address; a proxy for the web does not lead to it.
		grpc.WithNoProxy(),
	)
	if err != nil {
		return nil, fmt.Errorf("festinger: %w", err)
	}
	return &Client{
		connection: connection,
		metadata:   chosen.metadata,
		timeout:    chosen.timeout,
		concepts:   api.NewConceptServiceClient(connection),
		conflicts:  api.NewConflictServiceClient(connection),
		lines:      api.NewLineServiceClient(connection),
		memory:     api.NewMemoryServiceClient(connection),
	}, nil
}

// Close ends the connection.
func (it *Client) Close() error { return it.connection.Close() }

// Tokenise splits a text into tokens and says what is known of each.
func (it *Client) Tokenise(ctx context.Context, text string) ([]*api.TokeniseResponse_Token, error) {
	answer, err := call(ctx, it, it.memory.Tokenise, &api.TokeniseRequest{Text: text})
	return answer.GetTokens(), err
}

// Recollect reads a prompt and returns what the memory can tell about it.
//
// After a broken connection it is repeated only if every turn has a digest: whether the
// turns were read is not known, and they would teach twice.
func (it *Client) Recollect(ctx context.Context, request *api.RecollectRequest) (*api.RecollectResponse, error) {
	return callOnce(ctx, it, it.memory.Recollect, request, repeatable(request))
}

func repeatable(request *api.RecollectRequest) bool {
	for _, turn := range request.GetTurns() {
		if len(turn.GetDigest()) == 0 && !turn.GetSeen() {
			return false
		}
	}
	return true
}

// Assert states a fact, such as "gnommoweb -isa repo", and returns what became of it
// when that is committed. A contradiction is an outcome, not an error.
func (it *Client) Assert(ctx context.Context, fact string) (*api.Outcome, error) {
	request := &api.AssertRequest{
		Statement: &api.AssertRequest_Fact{Fact: fact},
		RequestId: requestID(),
	}
	answer, err := call(ctx, it, it.memory.Assert, request)
	return answer.GetOutcome(), err
}

// Retract takes a fact or a denial back; why may be empty.
func (it *Client) Retract(ctx context.Context, fact, why string) (*api.RetractResponse, error) {
	request := &api.RetractRequest{
		Statement: &api.RetractRequest_Fact{Fact: fact},
		Reasoning: why,
		RequestId: requestID(),
	}
	return call(ctx, it, it.memory.Retract, request)
}

// Say keeps what somebody says in plain words.
func (it *Client) Say(ctx context.Context, text string) (*api.SayResponse, error) {
	return call(ctx, it, it.lines.Say, &api.SayRequest{Text: text, RequestId: requestID()})
}

// Search finds the lines that fit some words best, at most so many.
func (it *Client) Search(ctx context.Context, words string, most int) (*api.SearchLinesResponse, error) {
	request := &api.SearchLinesRequest{Query: words, PageSize: int32(most)}
	return call(ctx, it, it.lines.SearchLines, request)
}

// Concept returns a concept and the facts that place it.
func (it *Client) Concept(ctx context.Context, name string) (*api.Concept, error) {
	answer, err := call(ctx, it, it.concepts.GetConcept, &api.GetConceptRequest{Token: name})
	return answer.GetConcept(), err
}

// Conflicts yields the contradictions that wait for a decision, oldest first. It ends
// with the first error.
func (it *Client) Conflicts(ctx context.Context) iter.Seq2[*api.Conflict, error] {
	return func(yield func(*api.Conflict, error) bool) {
		request := &api.ListConflictsRequest{
			States: []api.Conflict_State{api.Conflict_STATE_PENDING},
		}
		for {
			page, err := call(ctx, it, it.conflicts.ListConflicts, request)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, conflict := range page.GetConflicts() {
				if !yield(conflict, nil) {
					return
				}
			}
			if request.PageToken = page.GetNextPageToken(); request.PageToken == "" {
				return
			}
		}
	}
}

// Resolve settles a conflict. A request id is added where there is none.
func (it *Client) Resolve(ctx context.Context, request *api.ResolveRequest) (*api.Conflict, error) {
	if request.GetRequestId() == "" {
		request.RequestId = requestID()
	}
	answer, err := call(ctx, it, it.memory.Resolve, request)
	return answer.GetConflict(), err
}

// outgoing adds the client's metadata.
func (it *Client) outgoing(ctx context.Context) context.Context {
	own, _ := metadata.FromOutgoingContext(ctx)
	return metadata.NewOutgoingContext(ctx, metadata.Join(own, it.metadata))
}

type method[Request, Response any] func(context.Context, *Request, ...grpc.CallOption) (*Response, error)

// call makes a call that changes nothing twice.
func call[Request, Response any](
	ctx context.Context, it *Client, calling method[Request, Response], request *Request,
) (*Response, error) {
	return callOnce(ctx, it, calling, request, true)
}

// callOnce makes a call. What the server refused unread is always tried again, and what
// found no server only if it is repeatable.
func callOnce[Request, Response any](
	ctx context.Context, it *Client, calling method[Request, Response], request *Request, repeatable bool,
) (*Response, error) {
	ctx, cancel := it.limited(ctx)
	defer cancel()
	return try(ctx, repeatable, func() (*Response, error) {
		answer, err := calling(it.outgoing(ctx), request)
		if err != nil {
			return nil, explain(err)
		}
		return answer, nil
	})
}

// limited gives a context without a deadline the client's.
func (it *Client) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, limited := ctx.Deadline(); limited {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, it.timeout)
}

// requestID names a call, so that its repetition changes nothing twice.
func requestID() string {
	var bytes [16]byte
	rand.Read(bytes[:]) // never fails
	return hex.EncodeToString(bytes[:])
}
