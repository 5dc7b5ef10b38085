package festinger.client;

import com.google.protobuf.InvalidProtocolBufferException;
import festinger.api.v1.MemoryServiceGrpc;
import festinger.api.v1.RecollectResponse;
import festinger.api.v1.RecollectStreamRequest;
import festinger.api.v1.RecollectStreamResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has any number of prompts recollected over one call that stays open. It may be used by several
 * threads: answers come when they are ready, in any order.
 */
public final class RecollectStream implements AutoCloseable {
  private final Duration timeout;
  private final Map<Long, CompletableFuture<RecollectResponse>> waiting = new HashMap<>();
  private final ClientCallStreamObserver<RecollectStreamRequest> requests;
  private long last;
  private FestingerException ended;

  RecollectStream(MemoryServiceGrpc.MemoryServiceStub memory, Duration timeout) {
    this.timeout = timeout;
    requests =
        (ClientCallStreamObserver<RecollectStreamRequest>) memory.recollectStream(new Answers());
  }

  /**
   * Reads a prompt and returns what the memory can tell about it.
   *
   * @param request its id is set; its tenant, project and others may name what this request alone
   *     is for
   */
  public RecollectResponse recollect(RecollectStreamRequest request) {
    return Attempts.make(timeout, false, left -> ask(request, left));
  }

  /** Ends the stream; what has no answer yet fails with {@code CANCELLED}. */
  @Override
  public void close() {
    end(new FestingerException(Status.Code.CANCELLED, "the stream was closed"));
    requests.cancel("closed by the client", null);
  }

  private RecollectResponse ask(RecollectStreamRequest request, Duration left) {
    var answer = new CompletableFuture<RecollectResponse>();
    long id;
    synchronized (this) {
      if (ended != null) {
        throw ended;
      }
      id = ++last;
      waiting.put(id, answer);
      // Several threads must not send at once.
      requests.onNext(request.toBuilder().setId(id).build());
    }
    try {
      return answer.orTimeout(left.toNanos(), TimeUnit.NANOSECONDS).join();
    } catch (CompletionException error) {
      throw explained(error.getCause());
    } finally {
      synchronized (this) {
        waiting.remove(id);
      }
    }
  }

  private static FestingerException explained(Throwable cause) {
    if (cause instanceof TimeoutException) {
      return new FestingerException(
          Status.Code.DEADLINE_EXCEEDED, "the memory server did not answer in time");
    }
    return FestingerException.of(cause);
  }

  private void end(FestingerException error) {
    List<CompletableFuture<RecollectResponse>> unanswered;
    synchronized (this) {
      if (ended == null) {
        ended = error;
      }
      unanswered = List.copyOf(waiting.values());
      waiting.clear();
    }
    unanswered.forEach(it -> it.completeExceptionally(error));
  }

  private final class Answers implements StreamObserver<RecollectStreamResponse> {
    @Override
    public void onNext(RecollectStreamResponse response) {
      CompletableFuture<RecollectResponse> answer;
      synchronized (RecollectStream.this) {
        answer = waiting.remove(response.getId());
      }
      if (answer == null) {
        return; // nobody waits for it any more
      }
      if (response.hasError()) {
        answer.completeExceptionally(refused(response.getError()));
      } else {
        answer.complete(response.getResponse());
      }
    }

    @Override
    public void onError(Throwable error) {
      end(FestingerException.of(error));
    }

    @Override
    public void onCompleted() {
      end(new FestingerException(Status.Code.UNAVAILABLE, "the stream has ended"));
    }
  }

  private static FestingerException refused(RecollectStreamResponse.Status error) {
    try {
      // Its bytes are those of a google.rpc.Status.
      return FestingerException.of(com.google.rpc.Status.parseFrom(error.toByteString()));
    } catch (InvalidProtocolBufferException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
