package festinger

import (
	"context"
	"errors"
	"sync"

	"festinger/client/api"

	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Stream has any number of prompts recollected over one call that stays open. It may be
// used by several goroutines: answers come when they are ready, in any order.
type Stream struct {
	client *Client
	call   grpc.BidiStreamingClient[api.RecollectStreamRequest, api.RecollectStreamResponse]
	cancel context.CancelFunc

	sending sync.Mutex
	mutex   sync.Mutex
	next    int64
	waiting map[int64]chan *api.RecollectStreamResponse
	ended   error
	done    chan struct{}
}

// OpenStream opens a stream, which ends with its context or by Close.
func (it *Client) OpenStream(ctx context.Context) (*Stream, error) {
	ctx, cancel := context.WithCancel(it.outgoing(ctx))
	call, err := it.memory.RecollectStream(ctx)
	if err != nil {
		cancel()
		return nil, explain(err)
	}
	stream := &Stream{
		client:  it,
		call:    call,
		cancel:  cancel,
		waiting: map[int64]chan *api.RecollectStreamResponse{},
		done:    make(chan struct{}),
	}
	go stream.receive()
	return stream, nil
}

// Close ends the stream; what has no answer yet fails with codes.Canceled.
func (it *Stream) Close() {
	it.cancel()
	<-it.done
}

// Recollect reads a prompt and returns what the memory can tell about it. The request's
// id is set; its tenant, project and others may name what this request alone is for.
func (it *Stream) Recollect(ctx context.Context, request *api.RecollectStreamRequest) (*api.RecollectResponse, error) {
	ctx, cancel := it.client.limited(ctx)
	defer cancel()
	return try(ctx, false, func() (*api.RecollectResponse, error) { return it.ask(ctx, request) })
}

func (it *Stream) ask(ctx context.Context, request *api.RecollectStreamRequest) (*api.RecollectResponse, error) {
	answered := make(chan *api.RecollectStreamResponse, 1)
	id, err := it.enter(answered)
	if err != nil {
		return nil, err
	}
	defer it.leave(id)
	if err := it.send(id, request); err != nil {
		// Why the stream ended is what the receiver hears.
		<-it.done
		return nil, it.ended
	}
	select {
	case answer := <-answered:
		return result(answer)
	case <-it.done:
		return nil, it.ended
	case <-ctx.Done():
		return nil, explain(status.FromContextError(ctx.Err()).Err())
	}
}

func (it *Stream) enter(answered chan *api.RecollectStreamResponse) (int64, error) {
	it.mutex.Lock()
	defer it.mutex.Unlock()
	if it.ended != nil {
		return 0, it.ended
	}
	it.next++
	it.waiting[it.next] = answered
	return it.next, nil
}

func (it *Stream) leave(id int64) {
	it.mutex.Lock()
	defer it.mutex.Unlock()
	delete(it.waiting, id)
}

func (it *Stream) send(id int64, request *api.RecollectStreamRequest) error {
	it.sending.Lock()
	defer it.sending.Unlock()
	request.Id = id
	return it.call.Send(request)
}

func (it *Stream) receive() {
	defer close(it.done)
	for {
		answer, err := it.call.Recv()
		it.mutex.Lock()
		if err != nil {
			it.ended = ending(err)
			it.mutex.Unlock()
			it.cancel()
			return
		}
		answered := it.waiting[answer.GetId()]
		delete(it.waiting, answer.GetId())
		it.mutex.Unlock()
		if answered != nil {
			answered <- answer
		}
	}
}

func ending(err error) error {
	if _, known := status.FromError(err); known {
		return explain(err)
	}
	// io.EOF: the server closed the stream in order.
	return explainStatus(status.New(codes.Unavailable, "the stream has ended"), errors.Unwrap(err))
}

func result(answer *api.RecollectStreamResponse) (*api.RecollectResponse, error) {
	if refused := answer.GetError(); refused != nil {
		told := status.FromProto(&statuspb.Status{
			Code: refused.GetCode(), Message: refused.GetMessage(), Details: refused.GetDetails(),
		})
		return nil, explainStatus(told, told.Err())
	}
	return answer.GetResponse(), nil
}
