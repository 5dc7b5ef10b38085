package festinger.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import festinger.api.v1.Conflict;
import festinger.api.v1.Outcome;
import festinger.api.v1.RecollectRequest;
import festinger.api.v1.RecollectResponse;
import festinger.api.v1.RecollectStreamRequest;
import festinger.api.v1.ResolveRequest;
import festinger.api.v1.Turn;
import festinger.example.Tell;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Against the server that {@code FESTINGER_SERVER} names. */
@EnabledIfEnvironmentVariable(named = "FESTINGER_SERVER", matches = ".+")
class LiveTest {
  private Festinger memory;

  @BeforeEach
  void connect() {
    memory =
        Festinger.builder(System.getenv("FESTINGER_SERVER"))
            .token(System.getenv("FESTINGER_TOKEN"))
            .build();
  }

  @AfterEach
  void disconnect() {
    memory.close();
  }

  private static RecollectRequest ask(String text) {
    var turn = Turn.newBuilder().setRole(Turn.Role.ROLE_USER).setText(text);
    return RecollectRequest.newBuilder().addTurns(turn).build();
  }

  private static List<String> concepts(RecollectResponse response) {
    return response.getLinesList().stream().map(RecollectResponse.Line::getConcept).toList();
  }

  @Test
  void contradictionWaitsUntilItIsResolved() {
    assertEquals(
        Outcome.Verdict.VERDICT_HELD, memory.assertFact("java_tool -isa compiler").getVerdict());
    Outcome refused = memory.assertFact("java_tool -isa game");
    assertEquals(Outcome.Verdict.VERDICT_CONFLICTED, refused.getVerdict());
    assertTrue(memory.conflicts().stream().anyMatch(it -> it.getId() == refused.getConflictId()));
    Conflict settled =
        memory.resolve(
            ResolveRequest.newBuilder()
                .setConflictId(refused.getConflictId())
                .setDecision(Conflict.Decision.DECISION_UPDATE)
                .build());
    assertEquals(Conflict.State.STATE_RESOLVED, settled.getState());
    assertEquals("game", memory.concept("java_tool").getEdges(0).getParent());
    memory.retract("java_tool -isa game", "enough");
    assertEquals(0, memory.concept("java_tool").getEdgesCount());
  }

  @Test
  void whatIsSaidIsTold() {
    memory.say("The oven in Fulda is cleaned every August by Ofenbau Röhn.");
    assertFalse(memory.search("oven cleaned", 5).getLinesList().isEmpty());
    assertFalse(memory.recollect(ask("Who cleans the oven in Fulda?")).getLinesList().isEmpty());
  }

  @Test
  void streamAnswersTheThreadThatAsked() throws Exception {
    for (int number = 0; number < 8; number++) {
      memory.assertFact("bean_" + number + " -isa pod_" + number);
    }
    var threads = Executors.newFixedThreadPool(32);
    try (RecollectStream stream = memory.openStream()) {
      List<Future<?>> asking =
          IntStream.range(0, 64)
              .<Future<?>>mapToObj(
                  number -> threads.submit(() -> askOf(stream, "bean_" + number % 8)))
              .toList();
      for (Future<?> asked : asking) {
        asked.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void askOf(RecollectStream stream, String name) {
    var request = RecollectStreamRequest.newBuilder().setRequest(ask("Tell me about " + name + "."));
    assertEquals(List.of(name), concepts(stream.recollect(request.build())));
  }

  @Test
  void streamOutlivesABadRequestAndEndsWhenItIsClosed() {
    RecollectStream stream = memory.openStream();
    var request = RecollectStreamRequest.newBuilder().setRequest(ask("Hello."));
    var bad = request.clone().setTenant("nobody").build();
    var refused = assertThrows(FestingerException.class, () -> stream.recollect(bad));
    assertNotEquals("", refused.reason());
    stream.recollect(request.build());
    stream.close();
    var closed = assertThrows(FestingerException.class, () -> stream.recollect(request.build()));
    assertEquals(Status.Code.CANCELLED, closed.code());
  }

  @Test
  void exceptionNamesItsReason() {
    var refused = assertThrows(FestingerException.class, () -> memory.assertFact("nonsense"));
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.code());
    assertEquals("FACT_SYNTAX", refused.reason());
    var missing =
        assertThrows(FestingerException.class, () -> memory.concept("never_met_before"));
    assertEquals("CONCEPT_NOT_FOUND", missing.reason());
  }

  @Test
  void textIsSplit() {
    var tokens = memory.tokenise("Grüße an Fulda");
    assertEquals("fulda", tokens.get(2).getText());
    assertEquals(9, tokens.get(2).getStartOffset());
  }

  @Test
  void exampleTells() {
    Tell.main(System.getenv("FESTINGER_SERVER"));
    assertTrue(
        memory.conflicts().stream().anyMatch(it -> it.getIncoming().getConcept().equals("gnommoweb")));
  }
}
