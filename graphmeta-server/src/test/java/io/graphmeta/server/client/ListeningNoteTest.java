package io.graphmeta.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server leaves for commands. */
class ListeningNoteTest {
  @TempDir Path directory;

  @Test
  void is_there_while_the_server_is() {
    ListeningNote.Listening listening = new ListeningNote.Listening("127.0.0.1:8182", true);
    try (ListeningNote note = ListeningNote.write(directory, listening)) {
      assertThat(note).isNotNull();
      assertThat(ListeningNote.read(directory)).isEqualTo(listening);
    }
    assertThat(ListeningNote.read(directory)).isNull();
  }

  @Test
  void a_server_serves_where_it_cannot_be_written() throws Exception {
    Files.createDirectories(directory.resolve("listening.properties/in-its-place"));
    try (ListeningNote note =
        ListeningNote.write(directory, new ListeningNote.Listening("127.0.0.1:8182", false))) {
      assertThat(note).isNotNull();
      assertThat(ListeningNote.read(directory)).isNull();
    }
  }
}
