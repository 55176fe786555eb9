package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.provenance.Evidence;
import org.junit.jupiter.api.Test;

class CommandLineOutputsTest {
  @Test
  void teeWritesAllThatItNames() {
    CommandLineOutputs outputs = CommandLineOutputs.of("/usr/bin/tee -ai out.txt /tmp/x");
    assertThat(outputs.evidence()).isEqualTo(Evidence.PIPED);
    assertThat(outputs.appended()).isTrue();
    assertThat(outputs.isWritten("/proj/out.txt")).isTrue();
    assertThat(outputs.isWritten("/tmp/x")).isTrue();
    assertThat(outputs.isWritten("/proj/tmp/x")).isFalse();
    assertThat(outputs.isWritten("/usr/lib/locale")).isFalse();
    assertThat(CommandLineOutputs.of("tee a").appended()).isFalse();
    assertThat(CommandLineOutputs.of("tee --append a").appended()).isTrue();
  }

  @Test
  void cpWritesItsLastOperandOrIntoIt() {
    CommandLineOutputs outputs = CommandLineOutputs.of("cp -p in/a in/b ./out/");
    assertThat(outputs.isWritten("/proj/in/a")).isFalse();
    assertThat(outputs.isWritten("/proj/out/a")).isTrue();
    assertThat(outputs.isWritten("/proj/out/b")).isTrue();
    assertThat(CommandLineOutputs.of("cp d/x x").isWritten("/proj/d/x")).isFalse();
    assertThat(CommandLineOutputs.of("cp d/x x").isWritten("/proj/x")).isTrue();
  }

  @Test
  void whatIsNotPlainTellsNothing() {
    assertThat(CommandLineOutputs.of("cp ../x x").isWritten("/proj/x")).isFalse();
    assertThat(CommandLineOutputs.of("cp -t d x").isWritten("/proj/d/x")).isFalse();
    assertThat(CommandLineOutputs.of("cat a b").isWritten("/proj/b")).isFalse();
    assertThat(CommandLineOutputs.of("").isWritten("/proj/b")).isFalse();
  }
}
