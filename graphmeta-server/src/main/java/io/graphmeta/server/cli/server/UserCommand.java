package io.graphmeta.server.cli.server;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.users.UserFile;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/** Says who may log in to a server. */
@Command(
    name = "user",
    description = {
      "Changes the file of those who may log in to a server. A running server reads it again."
    },
    synopsisSubcommandLabel = "(add | remove | list)",
    footer = {
      "%nExamples:%n  graphmeta user add ada --users users%n"
          + "  pass show ada | graphmeta user add ada --users users%n"
    })
public final class UserCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--users",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "The file; made if it is not there.")
  private @Nullable Path file;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing command; expected add, remove or list");
  }

  @Command(
      name = "add",
      description = {
        "Adds a user, or gives one another password. The password is asked for on a terminal, else it is the first line of"
            + " standard input."
      })
  void add(@Parameters(paramLabel = "NAME", description = "Who.") String name) throws IOException {
    char[] password = password(name);
    try {
      read().with(name, password).write(file());
    } finally {
      Arrays.fill(password, '\0');
    }
  }

  @Command(name = "remove", description = "Removes a user.")
  void remove(@Parameters(paramLabel = "NAME", description = "Who.") String name)
      throws IOException {
    read().without(name).write(file());
  }

  @Command(name = "list", description = "Prints the names of all users, one a line.")
  void list() throws IOException {
    read().names().forEach(spec.commandLine().getOut()::println);
  }

  private Path file() {
    if (file == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "Missing --users FILE, the file of the users");
    }
    return file;
  }

  private UserFile read() throws IOException {
    return Files.exists(file()) ? UserFile.read(file()) : UserFile.empty();
  }

  private static char[] password(String name) throws IOException {
    Console console = System.console();
    if (console == null) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String line = in.readLine();
      if (line == null) {
        throw GraphMetaException.invalid(
            "There is no password on standard input; expected it as the first line");
      }
      return line.toCharArray();
    }
    char[] password = console.readPassword("Password of %s: ", name);
    char[] again = console.readPassword("Again: ");
    if (password == null || !Arrays.equals(password, again)) {
      throw GraphMetaException.invalid("The two passwords differ; nothing was changed");
    }
    return password;
  }
}
