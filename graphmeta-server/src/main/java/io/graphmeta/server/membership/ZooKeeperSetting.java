package io.graphmeta.server.membership;

import static io.graphmeta.config.SettingType.millis;
import static io.graphmeta.config.SettingType.text;

import io.graphmeta.config.DeclaredSetting;
import io.graphmeta.config.SettingDeclaration;
import io.graphmeta.config.SettingType;

/** Every setting of the connection of a process to ZooKeeper. */
public enum ZooKeeperSetting implements DeclaredSetting {
  /** Where it is. */
  HOSTS(
      "graphmeta.zookeeper.hosts",
      text("127.0.0.1:2181"),
      "Servers of ZooKeeper, as HOST:PORT with commas between them."),
  /** How long a session lives without a sign of life. */
  SESSION_TIMEOUT_MILLIS(
      "graphmeta.zookeeper.session-timeout-millis",
      millis(10_000, 500, 600_000),
      "Time without a sign of life after which a node counts as absent; ZooKeeper's own bounds hold too."),
  /** How long to wait for an answer. */
  DEADLINE_MILLIS(
      "graphmeta.zookeeper.deadline-millis",
      millis(15_000, 100, 3_600_000),
      "Longest time for ZooKeeper to answer a process that starts, joins, or makes a cluster."),
  /** Who asks. */
  USER(
      "graphmeta.zookeeper.user",
      text(""),
      "Name to log in with, by SASL (DIGEST-MD5); what is made is then for this user alone."),
  /** The password of who asks. */
  PASSWORD_FILE(
      "graphmeta.zookeeper.password-file",
      text(""),
      "File with the password of the user, which nobody but its owner may use (mode 600)."),
  /** Certificates of those who sign ZooKeeper's. */
  TLS_CA(
      "graphmeta.zookeeper.tls-ca",
      text(""),
      "Certificates in PEM of the authority that signs the certificates of ZooKeeper; with it connections are by TLS."),
  /** Certificate chain and private key. */
  TLS_IDENTITY(
      "graphmeta.zookeeper.tls-identity",
      text(""),
      "Private key (PKCS 8) and certificate chain, both in one file in PEM, for a ZooKeeper that asks for certificates.");

  private final SettingDeclaration declaration;

  ZooKeeperSetting(String key, SettingType type, String description) {
    this.declaration = new SettingDeclaration(key, type, description);
  }

  @Override
  public SettingDeclaration declaration() {
    return declaration;
  }
}
