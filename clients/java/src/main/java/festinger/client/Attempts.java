package festinger.client;

import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/** Repeats calls while the server asks to come again, or is away. */
final class Attempts {
  private static final int TRIES = 4;

  private Attempts() {}

  /**
   * Makes a call, until its time is up.
   *
   * @param limit how long it may take with all its tries
   * @param repeatable whether it may be repeated after a broken connection
   * @param call makes the call within the time that is left
   */
  static <T> T make(Duration limit, boolean repeatable, Function<Duration, T> call) {
    long end = System.nanoTime() + limit.toNanos();
    int away = 0;
    while (true) {
      try {
        return call.apply(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      } catch (RuntimeException cause) {
        FestingerException error = FestingerException.of(cause);
        Duration pause = error.retryAfter().orElse(Duration.ZERO);
        if (pause.isZero()) {
          away++;
          if (!repeatable || error.code() != Status.Code.UNAVAILABLE || away == TRIES) {
            throw error;
          }
          pause = Duration.ofMillis(200L * away * away);
        }
        // Clients that were refused together must not come again together.
        long nanos = (long) (pause.toNanos() * (1 + ThreadLocalRandom.current().nextDouble()));
        if (System.nanoTime() + nanos >= end) {
          throw error;
        }
        sleep(nanos, error);
      }
    }
  }

  private static void sleep(long nanos, FestingerException error) {
    try {
      Thread.sleep(Duration.ofNanos(nanos).toMillis() + 1);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw error;
    }
  }
}
