package io.graphmeta.server.console;

import javax.script.Bindings;
import javax.script.SimpleBindings;
import org.apache.tinkerpop.gremlin.jsr223.AbstractGremlinPlugin;
import org.apache.tinkerpop.gremlin.jsr223.Customizer;
import org.apache.tinkerpop.gremlin.jsr223.DefaultBindingsCustomizer;

/** Binds the variables that the {@linkplain ConsoleSession session} was started with. */
public final class SessionPlugin extends AbstractGremlinPlugin {
  /** Called by the console. */
  public SessionPlugin() {
    super("graphmeta.session", bindings());
  }

  private static Customizer bindings() {
    Bindings variables = new SimpleBindings();
    variables.putAll(ConsoleSession.variables());
    return new DefaultBindingsCustomizer(variables);
  }
}
