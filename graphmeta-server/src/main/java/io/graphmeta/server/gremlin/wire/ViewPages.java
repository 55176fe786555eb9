package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Caller;
import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.rules.Query;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.rules.RequestGuard;
import io.graphmeta.server.gremlin.run.Failure;
import io.graphmeta.server.gremlin.run.QueryLog;
import io.graphmeta.server.gremlin.view.ViewQuestion;
import io.graphmeta.server.gremlin.view.ViewQuestion.Outcome;
import io.graphmeta.server.gremlin.view.ViewQuestions;
import io.graphmeta.server.gremlin.view.ViewResources;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.jspecify.annotations.Nullable;

/**
 * The view in the browser: its files below {@value #PATH}, and its questions below {@value
 * #QUESTIONS}. A question is sent by POST with its parts in the body, so that names of files stand
 * in no address and in no proxy's log, and it never writes. Shared by all connections; safe for use
 * by many threads.
 */
final class ViewPages {
  /** Where the page is. */
  static final String PATH = "/ui/";

  static final String QUESTIONS = "/ui/api/";

  private static final String ROOT = "/";
  private static final String WITHOUT_SLASH = "/ui";
  private static final String JSON = "application/json";

  private final ViewResources resources = new ViewResources();
  private final RequestGuard guard;
  private final QueryLog log;
  private final int maxResponseBytes;
  private final int searchMillis;
  private final UnreadAnswers unread;

  ViewPages(RequestGuard guard, QueryLog log, int maxResponseBytes, int searchMillis) {
    this.guard = guard;
    this.log = log;
    this.maxResponseBytes = maxResponseBytes;
    this.searchMillis = searchMillis;
    this.unread = UnreadAnswers.ofMemory(maxResponseBytes);
  }

  /** Whether a browser opens the page, from its address line or from a link on any other page. */
  static boolean isOpened(HttpRequest request) {
    String path = new QueryStringDecoder(request.uri()).rawPath();
    HttpHeaders headers = request.headers();
    return request.method().equals(HttpMethod.GET)
        && List.of(ROOT, WITHOUT_SLASH, PATH).contains(path)
        && request.uri().equals(path)
        && "navigate".equals(headers.get("sec-fetch-mode"))
        && "document".equals(headers.get("sec-fetch-dest"));
  }

  /** Whether a request is for the view. */
  boolean serves(HttpRequest request) {
    QueryStringDecoder uri = new QueryStringDecoder(request.uri());
    String path = uri.rawPath();
    boolean leadsHere =
        path.equals(ROOT)
            && request.method().equals(HttpMethod.GET)
            && !uri.parameters().containsKey(Tokens.ARGS_GREMLIN);
    return leadsHere || path.equals(WITHOUT_SLASH) || path.startsWith(PATH);
  }

  /** Answers a request that is for the view. */
  void answer(ChannelHandlerContext ctx, FullHttpRequest request, Connection connection) {
    boolean keepAlive = HttpUtil.isKeepAlive(request);
    String path = new QueryStringDecoder(request.uri()).rawPath();
    try {
      if (path.startsWith(QUESTIONS)) {
        ask(ctx, request, path.substring(QUESTIONS.length()), connection);
      } else {
        // Whoever asks for a file must have logged in as well.
        connection.caller();
        HttpReply.send(ctx, file(request, path), keepAlive);
      }
    } catch (RuntimeException | StackOverflowError e) {
      Failure failure = Failure.of(e);
      log.refused(connection.caller(), Excerpt.of(path), failure);
      FullHttpResponse response = HttpReply.error(null, failure);
      ViewHeaders.set(response.headers(), true);
      HttpReply.send(ctx, response, keepAlive);
    }
  }

  private FullHttpResponse file(FullHttpRequest request, String path) {
    requireMethod(request, HttpMethod.GET);
    if (!path.startsWith(PATH)) {
      // Relative, for portals that serve this below a path of theirs.
      FullHttpResponse moved = empty(HttpResponseStatus.FOUND);
      moved.headers().set(HttpHeaderNames.LOCATION, "ui/");
      ViewHeaders.set(moved.headers(), false);
      return moved;
    }
    ViewResources.@Nullable Resource resource = resources.find(path.substring(PATH.length()));
    if (resource == null) {
      throw Refusal.malformed("There is no page '" + Excerpt.of(path) + "'; expected " + PATH);
    }
    HttpHeaders asked = request.headers();
    if (resource.tag().equals(asked.get(HttpHeaderNames.IF_NONE_MATCH))) {
      FullHttpResponse same = empty(HttpResponseStatus.NOT_MODIFIED);
      same.headers().set(HttpHeaderNames.ETAG, resource.tag());
      ViewHeaders.set(same.headers(), false);
      return same;
    }
    boolean gzip = Gzip.isAccepted(asked) && Gzip.isWorth(resource.bytes());
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.OK,
            Unpooled.wrappedBuffer(gzip ? Gzip.of(resource.bytes()) : resource.bytes()));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, resource.type());
    response.headers().set(HttpHeaderNames.ETAG, resource.tag());
    if (gzip) {
      response.headers().set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
    }
    ViewHeaders.set(response.headers(), false);
    return response;
  }

  private static FullHttpResponse empty(HttpResponseStatus status) {
    return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status);
  }

  private static void requireMethod(HttpRequest request, HttpMethod method) {
    if (!request.method().equals(method)) {
      throw Refusal.malformed(
          "The method "
              + Excerpt.of(request.method().name())
              + " is not served here; expected "
              + method.name());
    }
  }

  private void ask(
      ChannelHandlerContext ctx, FullHttpRequest request, String name, Connection connection) {
    requireMethod(request, HttpMethod.POST);
    String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "none");
    if (!type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(JSON)) {
      throw Refusal.malformed(
          "The type of the body is '" + Excerpt.of(type) + "'; expected " + JSON);
    }
    ViewQuestion question =
        ViewQuestions.read(
            name, request.content().toString(StandardCharsets.UTF_8), Instant.now(), searchMillis);
    new Asking(
            ctx,
            question,
            connection,
            HttpUtil.isKeepAlive(request),
            Gzip.isAccepted(request.headers()))
        .evaluate(List.of());
  }

  /** One question under way: a script is sent when that before it has been evaluated. */
  private final class Asking {
    private final Connection connection;
    private final List<Query> queries = new ArrayList<>();
    private final ViewReply.Context context;

    Asking(
        ChannelHandlerContext ctx,
        ViewQuestion question,
        Connection connection,
        boolean keepAlive,
        boolean gzip) {
      this.connection = connection;
      this.context =
          new ViewReply.Context(
              ctx, question, keepAlive, gzip, maxResponseBytes, unread, this::evaluate);
      Caller caller = connection.caller();
      for (ViewQuestion.Script script : question.scripts()) {
        RequestMessage message =
            RequestMessage.build(Tokens.OPS_EVAL)
                .addArg(Tokens.ARGS_GREMLIN, script.evaluated())
                .create();
        queries.add(guard.check(message, caller, false));
      }
    }

    void evaluate(List<Outcome> before) {
      connection.submit(queries.get(before.size()), new ViewReply(context, before));
    }
  }
}
