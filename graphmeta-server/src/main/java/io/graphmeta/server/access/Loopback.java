package io.graphmeta.server.access;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Which addresses no other machine can reach. */
public final class Loopback {
  private Loopback() {}

  /**
   * Whether only this machine reaches an address.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if there is no such address
   */
  public static boolean includes(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "The address " + host + " is unknown (" + e.getMessage() + ")",
          e);
    }
  }
}
