package io.graphmeta.server.users;

/** Tells whether a name and a password belong together. Safe for use by many threads. */
public interface PasswordCheck {
  /** Whether a log-in succeeded. */
  enum Outcome {
    WELCOME,
    /** The name or the password is wrong. */
    WRONG,
    /** Too many failures came from the address; it was not looked. */
    PAUSED
  }

  /**
   * Checks a name and a password. May take a tenth of a second of computing.
   *
   * @param address where the attempt comes from, without the port
   */
  Outcome check(String name, char[] password, String address);
}
