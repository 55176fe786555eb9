package io.graphmeta.server.cli.server;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.connection.ServerOption;
import io.graphmeta.server.users.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the token of a server that the same user runs on this machine. */
@Command(
    name = "token",
    description = {
      "Prints the password with which programs log in, under the name token, at a server that you started on this machine"
          + " without users. It is another each time the server starts."
    },
    footer = {"%nExamples:%n  export GRAPHMETA_TOKEN=$(graphmeta token)%n"})
public final class TokenCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(names = "--port", paramLabel = "N", description = "Port of the server. Default: 8182.")
  private int port = ServerOption.DEFAULT_PORT;

  @Override
  public Integer call() throws IOException {
    Path file = Token.file(port);
    String token = Token.read(file);
    if (token == null) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "There is no "
              + file
              + ": no server that you started listens on port "
              + port
              + " of this machine, or it asks for another log-in");
    }
    spec.commandLine().getOut().println(token);
    return 0;
  }
}
