package festinger.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import festinger.api.v1.AssertRequest;
import festinger.api.v1.AssertResponse;
import festinger.api.v1.MemoryServiceGrpc;
import festinger.api.v1.Outcome;
import festinger.api.v1.RecollectRequest;
import festinger.api.v1.RecollectResponse;
import festinger.api.v1.TokeniseRequest;
import festinger.api.v1.TokeniseResponse;
import festinger.api.v1.Turn;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server of the test's own, which refuses each first attempt. */
class RepeatingTest {
  private final List<String> asserted = new CopyOnWriteArrayList<>();
  private final AtomicInteger read = new AtomicInteger();
  private Server server;
  private String address;

  private final class Failing extends MemoryServiceGrpc.MemoryServiceImplBase {
    @Override
    public void assert_(AssertRequest request, StreamObserver<AssertResponse> answer) {
      asserted.add(request.getRequestId());
      if (asserted.size() == 1) {
        answer.onError(Status.UNAVAILABLE.asException());
        return;
      }
      var outcome = Outcome.newBuilder().setVerdict(Outcome.Verdict.VERDICT_HELD);
      answer.onNext(AssertResponse.newBuilder().setOutcome(outcome).build());
      answer.onCompleted();
    }

    @Override
    public void recollect(RecollectRequest request, StreamObserver<RecollectResponse> answer) {
      read.incrementAndGet();
      answer.onError(Status.UNAVAILABLE.asException());
    }

    @Override
    public void tokenise(TokeniseRequest request, StreamObserver<TokeniseResponse> answer) {
      // No answer: the client gives up.
    }
  }

  @BeforeEach
  void serve() throws IOException {
    server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress("127.0.0.1", 0), InsecureServerCredentials.create())
            .addService(new Failing())
            .build()
            .start();
    address = "127.0.0.1:" + server.getPort();
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  @Test
  void statementIsTriedAgainUnderOneId() {
    try (Festinger memory = Festinger.builder(address).build()) {
      assertEquals(Outcome.Verdict.VERDICT_HELD, memory.assertFact("a -isa b").getVerdict());
    }
    assertEquals(2, asserted.size());
    assertEquals(asserted.get(0), asserted.get(1));
  }

  @Test
  void promptIsReadAgainOnlyWithDigests() {
    try (Festinger memory = Festinger.builder(address).build()) {
      var once = RecollectRequest.newBuilder().addTurns(Turn.getDefaultInstance()).build();
      assertUnavailable(memory, once);
      assertEquals(1, read.get());
      var turn = Turn.newBuilder().setDigest(ByteString.copyFromUtf8("a turn"));
      assertUnavailable(memory, RecollectRequest.newBuilder().addTurns(turn).build());
      assertEquals(5, read.get());
    }
  }

  private static void assertUnavailable(Festinger memory, RecollectRequest request) {
    var error = assertThrows(FestingerException.class, () -> memory.recollect(request));
    assertEquals(Status.Code.UNAVAILABLE, error.code());
  }

  @Test
  void callEndsAtItsTimeout() {
    var builder = Festinger.builder(address).timeout(Duration.ofMillis(100));
    try (Festinger memory = builder.build()) {
      var late = assertThrows(FestingerException.class, () -> memory.tokenise("anything"));
      assertEquals(Status.Code.DEADLINE_EXCEEDED, late.code());
    }
  }
}
