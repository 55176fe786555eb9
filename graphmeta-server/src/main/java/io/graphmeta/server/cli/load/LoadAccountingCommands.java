package io.graphmeta.server.cli.load;

import io.graphmeta.server.cli.connection.NewGraphOptions;
import io.graphmeta.server.ingest.JobAccount;
import io.graphmeta.server.ingest.accounting.AccountingFormatException;
import io.graphmeta.server.ingest.accounting.AccountingReader;
import io.graphmeta.server.ingest.accounting.LsfReader;
import io.graphmeta.server.ingest.accounting.PbsReader;
import io.graphmeta.server.ingest.sacct.SacctFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Loads the accounting files of batch systems. */
final class LoadAccountingCommands {
  private LoadAccountingCommands() {}

  /** What the commands have in common. */
  private abstract static class FromFiles implements Callable<Integer> {
    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
    @Mixin private NewGraphOptions target = new NewGraphOptions();

    @Parameters(
        paramLabel = "FILE",
        arity = "1..*",
        description =
            "The files, the oldest first. One that cannot be read is named and passed over.")
    private List<Path> files = List.of();

    @Option(names = "--json", description = "The summary as one JSON object.")
    private boolean json;

    abstract AccountingReader open(InputStream in, String source);

    @Override
    public final Integer call() throws IOException {
      try (Loading loading = Loading.into(target, spec.commandLine(), "Loading accounts", 0)) {
        for (Path file : files) {
          try (AccountingReader reader = open(Files.newInputStream(file), file.toString())) {
            addAll(reader, file.toString(), loading);
          } catch (IOException e) {
            loading.fail(e); // The other files are loaded all the same.
          }
        }
        return loading.finish("jobs", 0, json);
      }
    }
  }

  /** Loads what a reader tells; a line that it does not understand is named and passed over. */
  static void addAll(AccountingReader reader, String source, Loading loading) throws IOException {
    boolean more = true;
    while (more) {
      try {
        Optional<JobAccount> account = reader.next();
        account.ifPresent(each -> loading.add(source + ": job " + each.number(), each));
        more = account.isPresent();
      } catch (AccountingFormatException | SacctFormatException e) {
        loading.fail(e);
      }
      loading.step();
    }
  }

  /** PBS Professional, OpenPBS and TORQUE. */
  @Command(
      name = "pbs",
      description = {
        "Loads accounting files of PBS (PBS Professional, OpenPBS, TORQUE): jobs that started and ended. A bad line is"
            + " named and passed over, and the exit code is 1 then."
      },
      footer = {
        "%nExample:%n  graphmeta load pbs --db graph /var/spool/pbs/server_priv/accounting/202611*%n"
      })
  static final class Pbs extends FromFiles {
    @Override
    AccountingReader open(InputStream in, String source) {
      return new PbsReader(in, source);
    }
  }

  /** IBM Spectrum LSF. */
  @Command(
      name = "lsf",
      description = {
        "Loads accounting files of LSF (lsb.acct): jobs that ended. A bad line is named and passed over, and the exit code"
            + " is 1 then."
      },
      footer = {
        "%nExample:%n  graphmeta load lsf --db graph $LSB_SHAREDIR/cluster/logdir/lsb.acct%n"
      })
  static final class Lsf extends FromFiles {
    @Override
    AccountingReader open(InputStream in, String source) {
      return new LsfReader(in, source);
    }
  }
}
