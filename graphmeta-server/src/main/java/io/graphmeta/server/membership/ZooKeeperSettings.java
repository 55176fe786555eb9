package io.graphmeta.server.membership;

import io.graphmeta.config.SettingValues;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.users.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The settings of the connection of one process to ZooKeeper, checked. Immutable. */
public final class ZooKeeperSettings extends SettingValues<ZooKeeperSetting> {
  private static final Pattern HOSTS =
      Pattern.compile("[A-Za-z0-9._:\\[\\]-]+:\\d{1,5}(,[A-Za-z0-9._:\\[\\]-]+:\\d{1,5})*");
  private static final int MAX_PASSWORD_BYTES = 1024;

  private ZooKeeperSettings(EnumMap<ZooKeeperSetting, String> values) {
    super(values);
    if (!HOSTS.matcher(get(ZooKeeperSetting.HOSTS)).matches()) {
      throw wrong(
          ZooKeeperSetting.HOSTS, "HOST:PORT, or several with commas and no blanks between");
    }
    if (has(ZooKeeperSetting.USER) != has(ZooKeeperSetting.PASSWORD_FILE)) {
      throw wrong(
          ZooKeeperSetting.PASSWORD_FILE,
          "a file if there is a " + ZooKeeperSetting.USER.key() + ", and none if there is none");
    }
    if (has(ZooKeeperSetting.TLS_IDENTITY) && !has(ZooKeeperSetting.TLS_CA)) {
      throw wrong(ZooKeeperSetting.TLS_IDENTITY, "none without " + ZooKeeperSetting.TLS_CA.key());
    }
    requireFile(ZooKeeperSetting.TLS_CA);
    requireFile(ZooKeeperSetting.TLS_IDENTITY);
  }

  /**
   * The settings of a map from names to values.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} for an unknown name or a value that
   *     the setting does not take
   */
  public static ZooKeeperSettings of(Map<String, ?> settings) {
    return new ZooKeeperSettings(checked(ZooKeeperSetting.class, settings));
  }

  /** These settings with one changed. */
  public ZooKeeperSettings with(ZooKeeperSetting setting, Object value) {
    return new ZooKeeperSettings(changed(setting, value));
  }

  /**
   * The password in its file.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if there is none, or others can use
   *     the file
   */
  String password() {
    Path file = Path.of(get(ZooKeeperSetting.PASSWORD_FILE));
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > MAX_PASSWORD_BYTES) {
        throw wrong(
            ZooKeeperSetting.PASSWORD_FILE, "a file of at most " + MAX_PASSWORD_BYTES + " bytes");
      }
      PrivateFile.require(file, "The password of ZooKeeper's user in");
      String password = Files.readString(file).strip();
      if (password.isEmpty()) {
        throw wrong(ZooKeeperSetting.PASSWORD_FILE, "a file that holds a password");
      }
      return password;
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Setting "
              + ZooKeeperSetting.PASSWORD_FILE.key()
              + " names "
              + file
              + ", which cannot be read ("
              + e
              + ")",
          e);
    }
  }

  private void requireFile(ZooKeeperSetting setting) {
    if (has(setting) && !Files.isReadable(Path.of(get(setting)))) {
      throw wrong(setting, "a file that can be read");
    }
  }

  private GraphMetaException wrong(ZooKeeperSetting setting, String expected) {
    return new GraphMetaException(
        ErrorCode.INVALID_CONFIGURATION,
        "Setting " + setting.key() + " is '" + get(setting) + "'; expected " + expected);
  }
}
