package io.graphmeta.server.gremlin.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class OlderDriversTest {
  @Test
  void drivers_before_3_8_are_known_by_how_they_call_themselves() {
    for (String older :
        new String[] {
          "NotAvailable gremlin-python.3.7.7 3.11.7 Linux.6.1 x86_64",
          "NotAvailable Gremlin-Java-Driver.3.6.8 17.0.1 Linux.6.1 x64",
          "my app Gremlin-Go.3.7.0 go1.20 linux.NotAvailable amd64"
        }) {
      assertThat(OlderDrivers.includes(older)).as(older).isTrue();
    }
    for (String other :
        new String[] {
          "NotAvailable gremlin-python.3.8.2 3.11.7 Linux.6.1 x86_64",
          "NotAvailable Gremlin-Javascript.3.10.0 20.1 Linux x64",
          "Mozilla/5.0 (X11; Linux x86_64) 3.7.1",
          ""
        }) {
      assertThat(OlderDrivers.includes(other)).as(other).isFalse();
    }
    assertThat(OlderDrivers.includes(null)).isFalse();
  }
}
