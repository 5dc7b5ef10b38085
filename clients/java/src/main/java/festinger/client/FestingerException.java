package festinger.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Optional;

/** Why the server refused a call, or that it could not be reached. */
public final class FestingerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status.Code code;
  private final String reason;
  private final transient Duration retryAfter;

  FestingerException(Status.Code code, String message) {
    super(message);
    this.code = code;
    this.reason = "";
    this.retryAfter = null;
  }

  private FestingerException(com.google.rpc.Status told, Throwable cause) {
    super(told.getMessage(), cause);
    this.code = Status.fromCodeValue(told.getCode()).getCode();
    String found = "";
    Duration pause = null;
    for (Any detail : told.getDetailsList()) {
      try {
        if (detail.is(ErrorInfo.class)) {
          ErrorInfo info = detail.unpack(ErrorInfo.class);
          if (info.getDomain().equals("festinger")) {
            found = info.getReason().replaceFirst("^ERROR_REASON_", "");
          }
        } else if (detail.is(RetryInfo.class)) {
          var delay = detail.unpack(RetryInfo.class).getRetryDelay();
          pause = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
        }
      } catch (InvalidProtocolBufferException unreadable) {
        addSuppressed(unreadable);
      }
    }
    this.reason = found;
    this.retryAfter = pause;
  }

  static FestingerException of(Throwable cause) {
    if (cause instanceof FestingerException own) {
      return own;
    }
    com.google.rpc.Status told = StatusProto.fromThrowable(cause);
    if (told == null) {
      told = StatusProto.fromStatusAndTrailers(Status.fromThrowable(cause), null);
    }
    return new FestingerException(told, cause);
  }

  static FestingerException of(com.google.rpc.Status told) {
    return new FestingerException(told, null);
  }

  /** Returns the canonical gRPC code. */
  public Status.Code code() {
    return code;
  }

  /**
   * Returns the name of an {@code ErrorReason} without its prefix, such as {@code FACT_SYNTAX};
   * empty if the error is not the server's.
   */
  public String reason() {
    return reason;
  }

  /** Returns how long to wait before another try, if the server said so. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
