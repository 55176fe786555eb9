package io.graphmeta.server.gremlin.rules;

import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.graphmeta.time.SessionToken;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.jspecify.annotations.Nullable;

/**
 * Turns the message of a client into a query, or refuses it. What a client asks for is only ever
 * taken downwards: time, batch size. Immutable, and safe for use by many threads.
 */
public final class RequestGuard {
  /** The names of a script's language that clients send by habit; all are read as gremlin-lang. */
  private static final java.util.Set<String> LANGUAGES =
      java.util.Set.of("gremlin-lang", "gremlin-groovy", "");

  /** What tells a session token: an argument of messages, and an attribute of answers. */
  public static final String SESSION_TOKEN = "graphmeta.session";

  private static final String SOURCE = "g";
  private static final int DEFAULT_BATCH = 64;
  private static final int MAX_SESSION_NAME = 256;

  private final BytecodeRules bytecodes;
  private final long maxTimeoutMillis;
  private final int maxScriptChars;
  private final int maxParameters;
  private final int maxBatch;

  /**
   * @param settings have the limits
   */
  public RequestGuard(ServerSettings settings) {
    this.bytecodes =
        new BytecodeRules(
            settings.integer(ServerSetting.MAX_INSTRUCTIONS),
            settings.integer(ServerSetting.MAX_NESTING),
            QueryLimits.of(settings));
    this.maxTimeoutMillis = settings.number(ServerSetting.EVALUATION_TIMEOUT_MILLIS);
    this.maxScriptChars = settings.integer(ServerSetting.MAX_SCRIPT_CHARS);
    this.maxParameters = settings.integer(ServerSetting.MAX_PARAMETERS);
    this.maxBatch = settings.integer(ServerSetting.MAX_BATCH);
  }

  /**
   * The query of a message.
   *
   * @param mayWrite whether it may change the graph
   * @throws Refusal if it is not one, is too large, or asks for what no client may do
   */
  public Query check(RequestMessage message, Caller caller, boolean mayWrite) {
    boolean inSession = message.getProcessor().equals("session");
    String session = inSession ? sessionOf(message) : null;
    Object gremlin = message.getArgs().get(Tokens.ARGS_GREMLIN);
    Query.Kind kind;
    switch (message.getOp()) {
      case Tokens.OPS_EVAL -> {
        gremlin = checkScript(message, gremlin);
        kind = Query.Kind.SCRIPT;
      }
      case Tokens.OPS_BYTECODE -> {
        Bytecode given = bytecodeOf(gremlin);
        kind = kindOf(given);
        gremlin = kind == Query.Kind.BYTECODE ? bytecodes.check(given) : given;
      }
      case Tokens.OPS_CLOSE -> {
        if (!inSession) {
          throw Refusal.invalid("A message 'close' needs the processor 'session'");
        }
        gremlin = "";
        kind = Query.Kind.CLOSE_SESSION;
      }
      default ->
          throw Refusal.malformed(
              "The operation '"
                  + Excerpt.of(message.getOp())
                  + "' is unknown; expected eval, bytecode, close or authentication");
    }
    checkAliases(message);
    ScriptOptions options = ScriptOptions.of(gremlin instanceof String script ? script : "");
    return new Query(
        message.getRequestId(),
        kind,
        gremlin,
        bindings(message),
        session,
        seen(message),
        mayWrite,
        mayWrite
            && (session == null
                || Boolean.TRUE.equals(message.getArgs().get(Tokens.ARGS_MANAGE_TRANSACTION))),
        timeoutMillis(message, options),
        batchSize(message),
        withProperties(message, options),
        caller);
  }

  private static String sessionOf(RequestMessage message) {
    if (message.getArgs().get(Tokens.ARGS_SESSION) instanceof String session
        && !session.isEmpty()
        && session.length() <= MAX_SESSION_NAME) {
      return session;
    }
    throw Refusal.invalid(
        "A message to the processor 'session' needs the argument 'session', a text of 1 to "
            + MAX_SESSION_NAME
            + " characters");
  }

  private static @Nullable SessionToken seen(RequestMessage message) {
    Object token = message.getArgs().get(SESSION_TOKEN);
    return token == null ? null : SessionToken.of(token);
  }

  private String checkScript(RequestMessage message, @Nullable Object gremlin) {
    if (!(gremlin instanceof String script)) {
      throw Refusal.invalid("A message 'eval' needs the argument 'gremlin', a script as text");
    }
    if (script.length() > maxScriptChars) {
      throw Refusal.invalid(
          "The script has "
              + script.length()
              + " characters, more than "
              + maxScriptChars
              + " ("
              + ServerSetting.MAX_SCRIPT_CHARS.key()
              + "); give large values as parameters");
    }
    Object language = message.getArgs().get(Tokens.ARGS_LANGUAGE);
    if (language != null && !(language instanceof String name && LANGUAGES.contains(name))) {
      throw Refusal.forbidden(
          "The language '"
              + Excerpt.of(String.valueOf(language))
              + "' is not served; expected gremlin-lang");
    }
    return script;
  }

  private static Bytecode bytecodeOf(@Nullable Object gremlin) {
    if (gremlin instanceof Bytecode bytecode) {
      return bytecode;
    }
    throw Refusal.invalid("A message 'bytecode' needs the argument 'gremlin', a bytecode");
  }

  private static Query.Kind kindOf(Bytecode bytecode) {
    var sources = bytecode.getSourceInstructions();
    if (sources.isEmpty() || !sources.get(0).getOperator().equals("tx")) {
      return Query.Kind.BYTECODE;
    }
    Object[] arguments = sources.get(0).getArguments();
    if (sources.size() == 1 && bytecode.getStepInstructions().isEmpty() && arguments.length == 1) {
      if (Transaction.Symbols.commit.equals(arguments[0])) {
        return Query.Kind.COMMIT;
      }
      if (Transaction.Symbols.rollback.equals(arguments[0])) {
        return Query.Kind.ROLLBACK;
      }
    }
    throw Refusal.invalid("The bytecode tx() is not one of commit or rollback");
  }

  private static void checkAliases(RequestMessage message) {
    Object aliases = message.getArgs().get(Tokens.ARGS_ALIASES);
    if (aliases == null) {
      return;
    }
    if (!(aliases instanceof Map<?, ?> map)) {
      throw Refusal.invalid("The argument 'aliases' is not a map");
    }
    map.forEach(
        (alias, name) -> {
          if (!SOURCE.equals(alias) || !SOURCE.equals(name)) {
            throw Refusal.invalid(
                "The traversal source '"
                    + Excerpt.of(String.valueOf(name))
                    + "' for alias '"
                    + Excerpt.of(String.valueOf(alias))
                    + "' is not served; expected g for g");
          }
        });
  }

  private Map<String, Object> bindings(RequestMessage message) {
    Object bindings = message.getArgs().get(Tokens.ARGS_BINDINGS);
    if (bindings == null) {
      return Map.of();
    }
    if (!(bindings instanceof Map<?, ?> map)) {
      throw Refusal.invalid("The argument 'bindings' is not a map");
    }
    if (map.size() > maxParameters) {
      throw Refusal.invalid(
          "The script has "
              + map.size()
              + " parameters, more than "
              + maxParameters
              + " ("
              + ServerSetting.MAX_PARAMETERS.key()
              + ")");
    }
    Map<String, Object> checked = new java.util.HashMap<>();
    map.forEach(
        (name, value) -> {
          if (!(name instanceof String text)) {
            throw Refusal.invalid("The name of a parameter is not a text");
          }
          bytecodes.checkValue(value);
          checked.put(text, value);
        });
    return checked;
  }

  private long timeoutMillis(RequestMessage message, ScriptOptions options) {
    long asked = Long.MAX_VALUE;
    for (String name : new String[] {Tokens.ARGS_EVAL_TIMEOUT, "scriptEvaluationTimeout"}) {
      Object value = message.getArgs().get(name);
      if (value == null) {
        continue;
      }
      if (!(value instanceof Number number)) {
        throw Refusal.invalid("The argument '" + name + "' is not a number of milliseconds");
      }
      asked = number.longValue();
    }
    Long inScript = options.timeoutMillis();
    asked = inScript == null ? asked : inScript;
    return asked <= 0 ? maxTimeoutMillis : Math.min(asked, maxTimeoutMillis);
  }

  private int batchSize(RequestMessage message) {
    Object asked = message.getArgs().get(Tokens.ARGS_BATCH_SIZE);
    if (asked == null) {
      return Math.min(DEFAULT_BATCH, maxBatch);
    }
    if (asked instanceof Number number && number.longValue() > 0) {
      return (int) Math.min(number.longValue(), maxBatch);
    }
    throw Refusal.invalid("The argument 'batchSize' is not a number above 0");
  }

  private static boolean withProperties(RequestMessage message, ScriptOptions options) {
    Object asked = message.getArgs().get(Tokens.ARGS_MATERIALIZE_PROPERTIES);
    String inScript = options.materializeProperties();
    return !Tokens.MATERIALIZE_PROPERTIES_TOKENS.equals(inScript == null ? asked : inScript);
  }
}
