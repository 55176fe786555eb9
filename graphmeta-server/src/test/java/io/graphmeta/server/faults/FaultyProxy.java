package io.graphmeta.server.faults;

import io.graphmeta.server.faults.LinkFault.Cut;
import io.graphmeta.server.faults.LinkFault.Delay;
import io.graphmeta.server.faults.LinkFault.Flap;
import io.graphmeta.server.faults.LinkFault.Refuse;
import io.graphmeta.server.faults.LinkFault.Side;
import io.graphmeta.server.faults.LinkFault.Stall;
import io.graphmeta.server.faults.LinkFault.Swallow;
import io.graphmeta.server.faults.LinkFault.Throttle;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy before one process of this machine, with which something can be wrong, for all who
 * call or for some. Two threads for each connection copy what comes. Safe for use by many threads.
 */
public final class FaultyProxy implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 14;
  private static final int BACKLOG = 200;
  private static final long LOOK_MILLIS = 10;
  private static final List<LinkFault> TURNS =
      List.of(LinkFault.NONE, new Swallow(Side.CALLED), new Refuse());

  private final int target;
  private final Random random;
  private final ServerSocket listening;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private volatile LinkFault fault = LinkFault.NONE;

  /** What is wrong for some callers, by the numbers of their processes, in place of that. */
  private volatile Map<Long, LinkFault> ofCallers = Map.of();

  /**
   * One that listens on a port of its own.
   *
   * @param target the port of the process, which need not listen yet
   * @param seed of the times and places that it draws
   */
  public FaultyProxy(int target, long seed) {
    this.target = target;
    this.random = new Random(seed);
    try {
      listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start("graphmeta-proxy-" + target, this::accept);
  }

  /** The port that it listens on. */
  public int port() {
    return listening.getLocalPort();
  }

  /** What is wrong from now on, with connections that are open too. */
  public void set(LinkFault next) {
    change(() -> fault = next);
  }

  /** What is wrong from now on for these processes when they call, in place of what is for all. */
  public void setFor(Map<Long, LinkFault> callers) {
    change(() -> ofCallers = Map.copyOf(callers));
  }

  private void change(Runnable change) {
    Map<Connection, LinkFault> before = new HashMap<>();
    connections.forEach(each -> before.put(each, each.fault()));
    change.run();
    before.forEach(Connection::changed);
  }

  /** Connections that are open. */
  public int connections() {
    return connections.size();
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Connection connection = new Connection(listening.accept());
        connections.add(connection);
        start("graphmeta-proxied-" + target, connection::open);
      } catch (IOException e) {
        // It is closed, or the caller has given up already.
      }
    }
  }

  private int draw(int most) {
    synchronized (random) {
      return random.nextInt(most);
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    connections.forEach(Connection::reset);
  }

  /** Two sockets, and what passes between them. */
  private final class Connection {
    private final Socket caller;
    private final Socket called = new Socket();
    private final AtomicInteger ended = new AtomicInteger();
    private volatile boolean swallowed;
    private @Nullable Long process;
    private int bytesToCut;
    private boolean isCut;

    Connection(Socket caller) {
      this.caller = caller;
      drawCut();
    }

    /** What is wrong with it, in turns or all the time. */
    private LinkFault fault() {
      Map<Long, LinkFault> ofSome = ofCallers;
      LinkFault ofAll = fault;
      return ofSome.isEmpty() ? ofAll : ofSome.getOrDefault(process(), ofAll);
    }

    /** The process that called. Looked up when it matters, which takes some milliseconds. */
    private synchronized long process() {
      Long known = process;
      if (known == null) {
        known = CallerProcess.of(caller);
        process = known;
      }
      return known;
    }

    /** What is wrong with it at this moment. */
    private LinkFault now() {
      LinkFault now = fault();
      if (now instanceof Flap flap) {
        return TURNS.get((int) (System.nanoTime() / 1_000_000 / flap.millis() % TURNS.size()));
      }
      return now;
    }

    void changed(LinkFault before) {
      LinkFault next = fault();
      if (next.equals(before)) {
        return;
      }
      // Of what was swallowed nothing can follow.
      if (next instanceof Refuse || before instanceof Swallow) {
        reset();
      }
      drawCut();
    }

    synchronized void drawCut() {
      bytesToCut = fault() instanceof Cut cut ? draw(cut.mostBytes()) : 0;
    }

    void open() {
      try {
        if (now() instanceof Refuse) {
          reset();
          return;
        }
        called.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        caller.setTcpNoDelay(true);
        called.setTcpNoDelay(true);
        start("graphmeta-answers-" + target, () -> copy(Side.CALLED, called, caller));
        copy(Side.CALLER, caller, called);
      } catch (IOException e) {
        reset(); // nobody listens there
      }
    }

    private void copy(Side from, Socket source, Socket sink) {
      byte[] chunk = new byte[CHUNK_BYTES];
      try {
        InputStream in = source.getInputStream();
        OutputStream out = sink.getOutputStream();
        awaitNoStall();
        int length = in.read(chunk);
        while (length >= 0) {
          pass(from, chunk, length, out);
          awaitNoStall();
          length = in.read(chunk);
        }
        if (!sink.isOutputShutdown()) {
          sink.shutdownOutput();
        }
        if (ended.incrementAndGet() == 2) {
          close();
        }
      } catch (IOException e) {
        reset();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e); // nobody interrupts these threads
      }
    }

    private void awaitNoStall() throws InterruptedException, IOException {
      while (fault() instanceof Stall) {
        Thread.sleep(LOOK_MILLIS);
        if (caller.isClosed()) {
          throw new IOException("closed");
        }
      }
    }

    private void pass(Side from, byte[] chunk, int length, OutputStream out)
        throws IOException, InterruptedException {
      LinkFault now = now();
      if (now instanceof Refuse || swallowed && !(now instanceof Swallow)) {
        throw new IOException("refused, or bytes are missing");
      }
      if (now instanceof Cut || wasCut()) {
        passUntilCut(chunk, length, out);
        return;
      }
      if (now instanceof Delay delay && delay.mostMillis() > 0) {
        Thread.sleep(
            delay.leastMillis() + draw((int) (delay.mostMillis() - delay.leastMillis()) + 1));
      } else if (now instanceof Throttle throttle) {
        Thread.sleep(1000L * length / throttle.bytesPerSecond());
      } else if (now instanceof Swallow swallow && swallow.from() == from) {
        swallowed = true;
        return;
      }
      // A connection that was stalled while this was under way holds back what it has read.
      awaitNoStall();
      out.write(chunk, 0, length);
    }

    private synchronized boolean wasCut() {
      return isCut;
    }

    private synchronized void passUntilCut(byte[] chunk, int length, OutputStream out)
        throws IOException {
      int passed = Math.min(length, bytesToCut);
      bytesToCut -= passed;
      if (!isCut) {
        out.write(chunk, 0, passed);
      }
      if (passed < length && !isCut) {
        // What was passed must arrive, so the ends are told that no more comes, and are read out.
        isCut = true;
        caller.shutdownOutput();
        called.shutdownOutput();
      }
    }

    /** Ends both with RST, as a machine that lost its memory would. */
    void reset() {
      for (Socket socket : new Socket[] {caller, called}) {
        try {
          socket.setSoLinger(true, 0);
        } catch (IOException e) {
          // It is closed already.
        }
      }
      close();
    }

    private void close() {
      connections.remove(this);
      for (Socket socket : new Socket[] {caller, called}) {
        try {
          socket.close();
        } catch (IOException e) {
          // It is closed as far as it can be.
        }
      }
    }
  }
}
