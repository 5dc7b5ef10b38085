package festinger.client;

import festinger.api.v1.AssertRequest;
import festinger.api.v1.Concept;
import festinger.api.v1.ConceptServiceGrpc;
import festinger.api.v1.Conflict;
import festinger.api.v1.ConflictServiceGrpc;
import festinger.api.v1.GetConceptRequest;
import festinger.api.v1.LineServiceGrpc;
import festinger.api.v1.ListConflictsRequest;
import festinger.api.v1.ListConflictsResponse;
import festinger.api.v1.MemoryServiceGrpc;
import festinger.api.v1.Outcome;
import festinger.api.v1.RecollectRequest;
import festinger.api.v1.RecollectResponse;
import festinger.api.v1.ResolveRequest;
import festinger.api.v1.RetractRequest;
import festinger.api.v1.RetractResponse;
import festinger.api.v1.SayRequest;
import festinger.api.v1.SayResponse;
import festinger.api.v1.SearchLinesRequest;
import festinger.api.v1.SearchLinesResponse;
import festinger.api.v1.TokeniseRequest;
import festinger.api.v1.TokeniseResponse;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.AbstractBlockingStub;
import io.grpc.stub.MetadataUtils;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A connection to a memory server, which may be used by several threads. */
public final class Festinger implements AutoCloseable {
  private final ManagedChannel channel;
  private final Duration timeout;
  private final ConceptServiceGrpc.ConceptServiceBlockingStub concepts;
  private final ConflictServiceGrpc.ConflictServiceBlockingStub conflicts;
  private final LineServiceGrpc.LineServiceBlockingStub lines;
  private final MemoryServiceGrpc.MemoryServiceBlockingStub memory;
  private final MemoryServiceGrpc.MemoryServiceStub streaming;

  private Festinger(Builder chosen) {
    channel =
        Grpc.newChannelBuilder(chosen.address, chosen.credentials)
            // The server is named by its address; a proxy for the web does not lead to it.
            .proxyDetector(target -> null)
            .intercept(MetadataUtils.newAttachHeadersInterceptor(chosen.headers))
            .build();
    timeout = chosen.timeout;
    concepts = ConceptServiceGrpc.newBlockingStub(channel);
    conflicts = ConflictServiceGrpc.newBlockingStub(channel);
    lines = LineServiceGrpc.newBlockingStub(channel);
    memory = MemoryServiceGrpc.newBlockingStub(channel);
    streaming = MemoryServiceGrpc.newStub(channel);
  }

  /**
   * Begins to describe a client.
   *
   * @param address {@code HOST:PORT} of the server
   */
  public static Builder builder(String address) {
    return new Builder(address);
  }

  /** Splits a text into tokens and says what is known of each. */
  public List<TokeniseResponse.Token> tokenise(String text) {
    var request = TokeniseRequest.newBuilder().setText(text).build();
    return call(memory, it -> it.tokenise(request), true).getTokensList();
  }

  /**
   * Reads a prompt and returns what the memory can tell about it.
   *
   * <p>After a broken connection it is repeated only if every turn has a digest: whether the turns
   * were read is not known, and they would teach twice.
   */
  public RecollectResponse recollect(RecollectRequest request) {
    boolean repeatable =
        request.getTurnsList().stream().allMatch(it -> it.getSeen() || !it.getDigest().isEmpty());
    return call(memory, it -> it.recollect(request), repeatable);
  }

  /** Opens a stream that has any number of prompts recollected over one call. */
  public RecollectStream openStream() {
    return new RecollectStream(streaming, timeout);
  }

  /**
   * States a fact, such as {@code gnommoweb -isa repo}, and returns what became of it when that is
   * committed. A contradiction is an outcome, not an exception.
   */
  public Outcome assertFact(String fact) {
    var request = AssertRequest.newBuilder().setFact(fact).setRequestId(requestId()).build();
    return call(memory, it -> it.assert_(request), true).getOutcome();
  }

  /** Takes a fact or a denial back; the reasoning may be empty. */
  public RetractResponse retract(String fact, String reasoning) {
    var request =
        RetractRequest.newBuilder()
            .setFact(fact)
            .setReasoning(reasoning)
            .setRequestId(requestId())
            .build();
    return call(memory, it -> it.retract(request), true);
  }

  /** Keeps what somebody says in plain words. */
  public SayResponse say(String text) {
    var request = SayRequest.newBuilder().setText(text).setRequestId(requestId()).build();
    return call(lines, it -> it.say(request), true);
  }

  /** Finds the lines that fit some words best, at most so many. */
  public SearchLinesResponse search(String words, int most) {
    var request = SearchLinesRequest.newBuilder().setQuery(words).setPageSize(most).build();
    return call(lines, it -> it.searchLines(request), true);
  }

  /** Returns a concept and the facts that place it. */
  public Concept concept(String name) {
    var request = GetConceptRequest.newBuilder().setToken(name).build();
    return call(concepts, it -> it.getConcept(request), true).getConcept();
  }

  /** Returns the contradictions that wait for a decision, oldest first. */
  public List<Conflict> conflicts() {
    var found = new ArrayList<Conflict>();
    var request = ListConflictsRequest.newBuilder().addStates(Conflict.State.STATE_PENDING);
    ListConflictsResponse page;
    do {
      var asked = request.build();
      page = call(conflicts, it -> it.listConflicts(asked), true);
      found.addAll(page.getConflictsList());
      request.setPageToken(page.getNextPageToken());
    } while (!page.getNextPageToken().isEmpty());
    return found;
  }

  /** Settles a conflict. A request id is added where there is none. For operators. */
  public Conflict resolve(ResolveRequest request) {
    var named =
        request.getRequestId().isEmpty()
            ? request.toBuilder().setRequestId(requestId()).build()
            : request;
    return call(memory, it -> it.resolve(named), true).getConflict();
  }

  /** Ends the connection; calls that have no answer yet fail. */
  @Override
  public void close() {
    channel.shutdownNow();
  }

  private <S extends AbstractBlockingStub<S>, T> T call(
      S stub, Function<S, T> method, boolean repeatable) {
    return Attempts.make(
        timeout,
        repeatable,
        left -> method.apply(stub.withDeadlineAfter(left.toNanos(), TimeUnit.NANOSECONDS)));
  }

  /** Names a call, so that its repetition changes nothing twice. */
  private static String requestId() {
    return UUID.randomUUID().toString();
  }

  /** How a client connects. */
  public static final class Builder {
    private final String address;
    private final Metadata headers = new Metadata();
    private Duration timeout = Duration.ofSeconds(10);
    private ChannelCredentials credentials = InsecureChannelCredentials.create();

    private Builder(String address) {
      this.address = address;
    }

    /** Chooses the memory; the server's default otherwise. */
    public Builder tenant(String name) {
      return header("festinger-tenant", name);
    }

    /** Sends a bearer token. */
    public Builder token(String token) {
      return header("authorization", "Bearer " + token);
    }

    /** Says where the agent works; the name may be in any script. */
    public Builder project(String name) {
      String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
      return header("festinger-project", encoded);
    }

    /** Limits a call with all its tries; 10 seconds otherwise. */
    public Builder timeout(Duration limit) {
      timeout = limit;
      return this;
    }

    /** Encrypts the connection, as with {@code TlsChannelCredentials}; plain text otherwise. */
    public Builder credentials(ChannelCredentials chosen) {
      credentials = chosen;
      return this;
    }

    /** Prepares the client, which connects at its first call. */
    public Festinger build() {
      return new Festinger(this);
    }

    private Builder header(String name, String value) {
      headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
      return this;
    }
  }
}
