package io.graphmeta.server.access;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps web pages of somebody else away from a port. Immutable.
 *
 * <p>A browser sends what any page that it shows wants sent, also to servers on the user's own
 * machine, and adds the password that it remembers for them. It tells of the page in three headers,
 * each of which is looked at, since none of them comes with every request of every browser:
 *
 * <ul>
 *   <li>{@code Host} is the name that the page called. A page whose owner lets his name lead to
 *       127.0.0.1 (DNS rebinding) is, for the browser, a page of this server; its name is not one
 *       that the server goes by.
 *   <li>{@code Sec-Fetch-Site} tells whether the page is of this server. A page from another port
 *       of this machine is not, though it is of the same <em>site</em>.
 *   <li>{@code Origin} is scheme, host and port of the page.
 * </ul>
 *
 * <p>Programs send none of the last two, except for drivers that send the server's own origin.
 */
public final class PageRules {
  private static final Set<String> OF_NO_OTHER_PAGE = Set.of("none", "same-origin");
  private static final String EXAMPLE = "https://portal.example:8443";
  private static final int MAX_SHOWN = 200;

  private final String scheme;
  private final Set<String> hosts;
  private final Set<String> origins;

  /**
   * @param hosts names that the port goes by, in lower case; any will do if there are none
   */
  private PageRules(String scheme, Set<String> hosts, Set<String> origins) {
    this.scheme = scheme;
    this.hosts = hosts;
    this.origins = origins;
  }

  /**
   * The rules of a port.
   *
   * @param address what it listens on
   * @param tls whether it speaks TLS
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} for an allowed origin that is none
   */
  public static PageRules of(ServerSettings settings, String address, boolean tls) {
    Set<String> origins = new HashSet<>();
    for (String given : listed(settings, ServerSetting.ALLOWED_ORIGINS)) {
      String origin = origin(given);
      if (origin == null) {
        throw new GraphMetaException(
            ErrorCode.INVALID_CONFIGURATION,
            "Setting "
                + ServerSetting.ALLOWED_ORIGINS.key()
                + " holds '"
                + given
                + "', which is no origin; expected scheme, host and port of a page, such as "
                + EXAMPLE);
      }
      origins.add(origin);
    }
    return new PageRules(tls ? "https" : "http", names(settings, address), Set.copyOf(origins));
  }

  /** Beyond the own machine any name will do, since there a client must log in. */
  private static Set<String> names(ServerSettings settings, String address) {
    Set<String> names = new HashSet<>();
    for (String name : listed(settings, ServerSetting.ALLOWED_HOSTS)) {
      names.add(name.toLowerCase(Locale.ROOT));
    }
    if (names.isEmpty() && !Loopback.includes(address)) {
      return Set.of();
    }
    names.addAll(List.of("localhost", "127.0.0.1", "[::1]", address.toLowerCase(Locale.ROOT)));
    return Set.copyOf(names);
  }

  private static List<String> listed(ServerSettings settings, ServerSetting setting) {
    return List.of(settings.get(setting).split(",")).stream()
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /**
   * Why a request is refused; null if it is not. The arguments are the values of all headers of a
   * name.
   */
  public @Nullable String fault(List<String> host, List<String> origin, List<String> secFetchSite) {
    String called = host.size() == 1 ? host.get(0) : "";
    if (host.size() > 1 || !hosts.isEmpty() && !hosts.contains(nameOf(called))) {
      return "The server does not go by the name '"
          + shortened(String.join(", ", host))
          + "'; allow it by "
          + ServerSetting.ALLOWED_HOSTS.key();
    }
    String own = origin(scheme + "://" + called);
    for (String page : origin) {
      String normal = origin(page);
      if (normal == null || !normal.equals(own) && !origins.contains(normal)) {
        return "Pages of '"
            + shortened(page)
            + "' may not use the server; allow them by "
            + ServerSetting.ALLOWED_ORIGINS.key();
      }
    }
    boolean ofNamedPage = origin.size() == 1 && origins.contains(origin(origin.get(0)));
    if (origin.size() > 1 || !ofNamedPage && !OF_NO_OTHER_PAGE.containsAll(secFetchSite)) {
      return "The request was sent by a browser for a page of another server (Sec-Fetch-Site: "
          + shortened(String.join(", ", secFetchSite))
          + "), which may not use this one; allow the page by "
          + ServerSetting.ALLOWED_ORIGINS.key();
    }
    return null;
  }

  /** The name without the port. */
  private static String nameOf(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    if (name.startsWith("[")) {
      return name.substring(0, name.indexOf(']') + 1);
    }
    int colon = name.lastIndexOf(':');
    return colon < 0 ? name : name.substring(0, colon);
  }

  /** Scheme, host and port in one form; null for what is not these and nothing else. */
  private static @Nullable String origin(String text) {
    try {
      URI uri = new URI(text.toLowerCase(Locale.ROOT));
      String scheme = uri.getScheme();
      if (uri.getHost() == null
          || uri.getRawUserInfo() != null
          || !uri.getRawPath().isEmpty()
          || uri.getRawQuery() != null
          || uri.getRawFragment() != null
          || !"http".equals(scheme) && !"https".equals(scheme)) {
        return null;
      }
      int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
      return scheme + "://" + uri.getHost() + ":" + port;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static String shortened(String text) {
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
  }
}
