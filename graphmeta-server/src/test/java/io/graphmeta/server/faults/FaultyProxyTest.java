package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.faults.LinkFault.Cut;
import io.graphmeta.server.faults.LinkFault.Delay;
import io.graphmeta.server.faults.LinkFault.Flap;
import io.graphmeta.server.faults.LinkFault.Refuse;
import io.graphmeta.server.faults.LinkFault.Side;
import io.graphmeta.server.faults.LinkFault.Stall;
import io.graphmeta.server.faults.LinkFault.Swallow;
import io.graphmeta.server.faults.LinkFault.Throttle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That the proxy does what is said of its faults, and passes all where there is none. */
@Timeout(60)
class FaultyProxyTest {
  private static final int BYTES = 200_000;

  private final Queue<Integer> received = new ConcurrentLinkedQueue<>();
  private ServerSocket echo;
  private FaultyProxy proxy;

  @BeforeEach
  void open() throws IOException {
    echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread server = new Thread(this::serve);
    server.setDaemon(true);
    server.start();
    proxy = new FaultyProxy(echo.getLocalPort(), 1);
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    echo.close();
  }

  private void serve() {
    while (!echo.isClosed()) {
      try {
        Socket socket = echo.accept();
        Thread thread = new Thread(() -> giveBack(socket));
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private void giveBack(Socket socket) {
    int count = 0;
    try (socket) {
      byte[] chunk = new byte[8192];
      for (int length = 0; length >= 0; length = socket.getInputStream().read(chunk)) {
        count += length;
        socket.getOutputStream().write(chunk, 0, length);
      }
    } catch (IOException e) {
      // The other end is gone.
    } finally {
      received.add(count);
    }
  }

  private Socket call() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(300);
    return socket;
  }

  /** Sends bytes and reads them again. */
  private static int echoed(Socket socket, int bytes) throws IOException {
    Thread sender =
        new Thread(
            () -> {
              try {
                socket.getOutputStream().write(new byte[bytes]);
              } catch (IOException e) {
                // Told by what comes back.
              }
            });
    sender.setDaemon(true);
    sender.start();
    int read = 0;
    byte[] chunk = new byte[8192];
    while (read < bytes) {
      int length;
      try {
        length = socket.getInputStream().read(chunk);
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        return read;
      }
      if (length < 0) {
        return read;
      }
      read += length;
    }
    return read;
  }

  @Test
  void allPassesAndEndsWhereNothingIsWrong() throws Exception {
    try (Socket socket = call()) {
      assertThat(echoed(socket, BYTES)).isEqualTo(BYTES);
      socket.shutdownOutput();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    while (proxy.connections() > 0) {
      Thread.sleep(5);
    }
  }

  @Test
  void whatIsDelayedOrThrottledTakesItsTime() throws IOException {
    for (LinkFault fault : new LinkFault[] {new Delay(50, 60), new Throttle(10_000)}) {
      proxy.set(fault);
      try (Socket socket = call()) {
        long begin = System.nanoTime();
        assertThat(echoed(socket, 500)).isEqualTo(500);
        assertThat((System.nanoTime() - begin) / 1_000_000).isGreaterThanOrEqualTo(99);
      }
    }
  }

  /** Of two callers one is refused, or stands still, on connections old and new. */
  @Test
  void whatIsWrongForSomeCallersIsNotForOthers() throws Exception {
    long own = ProcessHandle.current().pid();
    try (Socket before = call()) {
      assertThat(echoed(before, 100)).isEqualTo(100);
      proxy.setFor(Map.of(own + 1, new Refuse(), 1L, new Refuse()));
      assertThat(echoed(before, 100)).isEqualTo(100);
      proxy.setFor(Map.of(own, new Stall()));
      assertThatThrownBy(() -> echoed(before, 100)).isInstanceOf(SocketTimeoutException.class);
      assertThat(callOfAnotherProcess()).isEqualTo("echo");
    }
    proxy.setFor(Map.of());
    try (Socket after = call()) {
      assertThat(echoed(after, 100)).isEqualTo(100);
    }
  }

  /** What a shell reads when it has sent a word by the proxy. */
  private String callOfAnotherProcess() throws Exception {
    String script = "exec 3<>/dev/tcp/127.0.0.1/" + proxy.port() + "; echo echo >&3; head -1 <&3";
    Process shell = new ProcessBuilder("bash", "-c", script).start();
    assertThat(shell.waitFor()).isZero();
    return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @Test
  void connectionsAreCutAtAnyByte() throws Exception {
    proxy.set(new Cut(BYTES));
    for (int i = 0; i < 60; i++) {
      try (Socket socket = call()) {
        assertThat(echoed(socket, BYTES)).isLessThan(BYTES);
      }
    }
    while (received.size() < 60) {
      Thread.sleep(5);
    }
    // A receiver may lose what it had not read when the connection was cut, and so tell a round
    // number of bytes: more connections than are to differ.
    assertThat(new TreeSet<>(received)).hasSizeGreaterThan(15);
  }

  @Test
  void whoIsRefusedIsRefusedAlsoWhereHeWasLetInBefore() throws IOException {
    try (Socket open = call()) {
      assertThat(echoed(open, 10)).isEqualTo(10);
      proxy.set(new Refuse());
      assertThat(echoed(open, 10)).isZero();
    }
    try (Socket socket = call()) {
      assertThat(echoed(socket, 10)).isZero();
    }
    proxy.set(LinkFault.NONE);
    try (Socket socket = call()) {
      assertThat(echoed(socket, 10)).isEqualTo(10);
    }
  }

  @Test
  void whatIsStalledPassesLater() throws IOException {
    proxy.set(new Stall());
    try (Socket socket = call()) {
      assertThatThrownBy(() -> echoed(socket, 10)).isInstanceOf(SocketTimeoutException.class);
      proxy.set(LinkFault.NONE);
      assertThat(socket.getInputStream().readNBytes(10)).hasSize(10);
    }
  }

  @Test
  void whatFlapsPassesAtTimesAndNeverLeavesBytesOut() throws IOException {
    proxy.set(new Flap(20));
    int passed = 0;
    int failed = 0;
    while (passed < 5 || failed < 5) {
      try (Socket socket = call()) {
        int echoed = echoed(socket, 10);
        passed += echoed == 10 ? 1 : 0;
        failed += echoed == 0 ? 1 : 0;
        assertThat(echoed).isIn(0, 10);
      } catch (SocketTimeoutException e) {
        failed++;
      }
    }
  }

  @Test
  void whatIsSwallowedNeverPasses() throws IOException {
    for (Side side : Side.values()) {
      proxy.set(new Swallow(side));
      try (Socket socket = call()) {
        assertThatThrownBy(() -> echoed(socket, 10)).isInstanceOf(SocketTimeoutException.class);
        proxy.set(LinkFault.NONE);
        assertThat(echoed(socket, 10)).isZero();
      }
    }
  }
}
