package io.graphmeta.server.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.select.Elements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of a job of the sample campaign. */
class ReportCommandTest {
  @TempDir private Path directory;

  @Test
  void theReportOfARunTellsWhatItDid() throws IOException {
    String db = directory.resolve("db").toString();
    String sample = Path.of("src/main/sample/campaign").toAbsolutePath().toString();
    assertThat(Cli.run("load", "sacct", "--db", db, sample + "/sacct.txt").exitCode()).isZero();
    assertThat(Cli.run("load", "darshan", "--db", db, sample).exitCode()).isZero();
    Path page = directory.resolve("job.html");
    Cli run = Cli.run("report", "--db", db, "--html", page.toString(), "184229");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .endsWith(": 3 programs, 6 inputs, 2 outputs, 23 elements that rest on them\n");
    Document document = Jsoup.parse(Files.readString(page));
    assertThat(document.title()).isEqualTo("Job 184229 sw1_k0.058_r1");
    assertThat(row(document, "Bytes by file", "ckpt.dat")).contains("829,520");
    assertThat(row(document, "Inputs", "/proj/hx01/mesh/mesh_A.msh"))
        .contains("job:184211/python3", "2026-11-21 00:33:45.241", "current", "145,169");
    assertThat(row(document, "Inputs", "/home/amira/gscott/bin/gscott")).contains("job:184222/ld");
    assertThat(row(document, "Outputs", "result.txt")).contains("3,094", "gscott");
    assertThat(row(document, "What rests on the outputs", "plot.py")).contains("process");
    assertThat(document.select("svg.chart rect.written")).isNotEmpty();
    assertThat(document.text()).contains("known of 1 of 3 programs", "run by amira");
    // Of a time before the job there is none.
    Cli before =
        Cli.run(
            "report",
            "--db",
            db,
            "--html",
            page.toString(),
            "--as-of",
            "2026-11-21T00:30:00Z",
            "184229");
    assertThat(before.exitCode()).isEqualTo(1);
    assertThat(before.err()).contains("There is no job 'job:184229'").hasLineCount(1);
    assertThat(Jsoup.parse(Files.readString(page)).title()).isEqualTo(document.title());
    Cli nowhere = Cli.run("report", "--db", db, "--html", directory + "/no/x.html", "184229");
    assertThat(nowhere.err()).contains("There is no file or directory " + directory + "/no");
  }

  private static String row(Document document, String section, String text) {
    Elements rows =
        document.select("section:has(> h2:containsOwn(" + section + ")) tr:contains(" + text + ")");
    assertThat(rows).as(section + ": " + text).isNotEmpty();
    return rows.get(0).text();
  }
}
