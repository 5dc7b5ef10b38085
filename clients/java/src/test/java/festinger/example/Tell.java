package festinger.example;

import festinger.api.v1.RecollectRequest;
import festinger.api.v1.Turn;
import festinger.client.Festinger;
import java.util.List;

/** States two facts that contradict each other and has a prompt recollected. */
public final class Tell {
  private Tell() {}

  /** Runs it against the server at the address that is given. */
  public static void main(String... arguments) {
    String address = arguments.length > 0 ? arguments[0] : "127.0.0.1:7700";
    try (Festinger memory = Festinger.builder(address).build()) {
      for (String fact : List.of("gnommoweb -isa repo", "gnommoweb -isa database")) {
        System.out.println(fact + ": " + memory.assertFact(fact).getVerdict());
      }
      var turn =
          Turn.newBuilder().setRole(Turn.Role.ROLE_USER).setText("Where does gnommoweb stand?");
      var request = RecollectRequest.newBuilder().addTurns(turn).build();
      System.out.println(memory.recollect(request).getBlock());
    }
  }
}
