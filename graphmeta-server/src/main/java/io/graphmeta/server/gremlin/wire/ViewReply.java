package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.run.Failure;
import io.graphmeta.server.gremlin.run.Reply;
import io.graphmeta.server.gremlin.view.ViewQuestion;
import io.graphmeta.server.gremlin.view.ViewQuestion.Outcome;
import io.graphmeta.server.gremlin.view.ViewQuestions;
import io.graphmeta.server.settings.ServerSetting;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes the results of one script of a question, and either goes on with the next script or
 * answers. The answer is made by the thread that evaluates the last script, within the time allowed
 * for it.
 */
final class ViewReply implements Reply {
  private static final int CHUNK = 64;
  private static final int MAX_RESULTS = 200_000;

  /** What all scripts of a question share. */
  record Context(
      ChannelHandlerContext ctx,
      ViewQuestion question,
      boolean keepAlive,
      boolean gzip,
      int maxResponseBytes,
      UnreadAnswers unread,
      Consumer<List<Outcome>> next) {}

  private final Context context;
  private final List<Outcome> before;
  private final boolean isOptional;
  private final List<Object> gathered = new ArrayList<>();

  /**
   * @param before what came of the scripts before this one
   */
  ViewReply(Context context, List<Outcome> before) {
    this.context = context;
    this.before = before;
    this.isOptional = context.question().scripts().get(before.size()).isOptional();
  }

  @Override
  public boolean isOpen() {
    return context.ctx().channel().isActive();
  }

  @Override
  public int batchSize(int asked) {
    return CHUNK;
  }

  @Override
  public Message results(List<Object> results) {
    gather(results);
    return new Nothing();
  }

  @Override
  public Message last(List<Object> results, boolean commits, Supplier<String> session) {
    gather(results);
    return following(new Outcome(List.copyOf(gathered), ""));
  }

  private void gather(List<Object> results) {
    gathered.addAll(results);
    if (gathered.size() > MAX_RESULTS) {
      throw Refusal.invalid(
          "The answer has more than "
              + MAX_RESULTS
              + " results; ask for less depth or a lower limit");
    }
  }

  private Message following(Outcome outcome) {
    List<Outcome> outcomes = new ArrayList<>(before);
    outcomes.add(outcome);
    return outcomes.size() < context.question().scripts().size()
        ? new Next(outcomes)
        : new Whole(response(outcomes));
  }

  private FullHttpResponse response(List<Outcome> outcomes) {
    byte[] json = ViewQuestions.write(context.question().answer(outcomes));
    if (json.length > context.maxResponseBytes()) {
      throw Refusal.invalid(
          "The answer has "
              + json.length
              + " bytes, more than "
              + context.maxResponseBytes()
              + " ("
              + ServerSetting.MAX_RESPONSE_BYTES.key()
              + "); ask for less depth, a lower limit or a smaller budget");
    }
    boolean gzip = context.gzip() && Gzip.isWorth(json);
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.OK,
            Unpooled.wrappedBuffer(gzip ? Gzip.of(json) : json));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
    if (gzip) {
      response.headers().set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
    }
    ViewHeaders.set(response.headers(), true);
    context.unread().add(response.content().readableBytes());
    return response;
  }

  @Override
  public void awaitClient() {}

  @Override
  public void failed(Failure failure) {
    if (isOptional) {
      try {
        following(new Outcome(List.of(), failure.message())).send();
        return;
      } catch (RuntimeException e) {
        sendError(Failure.of(e));
        return;
      }
    }
    sendError(failure);
  }

  private void sendError(Failure failure) {
    FullHttpResponse response = HttpReply.error(null, failure);
    ViewHeaders.set(response.headers(), true);
    HttpReply.send(context.ctx(), response, context.keepAlive());
  }

  /** Goes on when the thread has left the script before. */
  private final class Next implements Message {
    private final List<Outcome> outcomes;

    Next(List<Outcome> outcomes) {
      this.outcomes = outcomes;
    }

    @Override
    public void send() {
      context.next().accept(outcomes);
    }

    @Override
    public void discard() {}
  }

  private final class Whole implements Message {
    private final FullHttpResponse response;
    private final int size;

    Whole(FullHttpResponse response) {
      this.response = response;
      this.size = response.content().readableBytes();
    }

    @Override
    public void send() {
      HttpReply.send(context.ctx(), response, context.keepAlive())
          .addListener(sent -> context.unread().remove(size));
    }

    @Override
    public void discard() {
      response.release();
      context.unread().remove(size);
    }
  }

  private static final class Nothing implements Message {
    @Override
    public void send() {}

    @Override
    public void discard() {}
  }
}
