package io.graphmeta.server.objects;

import io.graphmeta.error.GraphMetaException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where in a service objects lie. Immutable.
 *
 * @param bucket its name
 * @param prefix of the names of all objects, which ends with a slash, or is empty
 * @param endpoint of the service; null for that of Amazon
 * @param region as the service calls it; empty for the one that the environment names
 */
public record S3Place(String bucket, String prefix, @Nullable URI endpoint, String region) {
  private static final Pattern FORM =
      Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?");

  /**
   * Reads a place.
   *
   * @param url {@code s3://BUCKET/PREFIX}
   * @param endpoint {@code http(s)://HOST[:PORT]}; null for that of Amazon
   * @param region empty for the one that the environment names
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if it has another form
   */
  public static S3Place of(String url, @Nullable String endpoint, String region) {
    Matcher form = FORM.matcher(url);
    if (!form.matches()) {
      throw GraphMetaException.invalid(
          "'" + url + "' is no place in S3; expected s3://BUCKET/PREFIX, such as s3://backups/c1");
    }
    String prefix = form.group(2) == null ? "" : form.group(2).replaceAll("/+$", "");
    if (prefix.startsWith("/") || prefix.contains("//")) {
      throw GraphMetaException.invalid("'" + url + "' has an empty part between two slashes");
    }
    return new S3Place(
        form.group(1), prefix.isEmpty() ? "" : prefix + "/", endpoint(endpoint), region);
  }

  private static @Nullable URI endpoint(@Nullable String given) {
    if (given == null) {
      return null;
    }
    try {
      URI endpoint = new URI(given);
      String scheme = String.valueOf(endpoint.getScheme()).toLowerCase(Locale.ROOT);
      if (endpoint.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
        return endpoint;
      }
    } catch (URISyntaxException e) {
      // told below
    }
    throw GraphMetaException.invalid(
        "'" + given + "' is no endpoint; expected one such as https://s3.example.org:9000");
  }

  /** As it is given. */
  @Override
  public String toString() {
    return "s3://"
        + bucket
        + (prefix.isEmpty() ? "" : "/" + prefix.substring(0, prefix.length() - 1))
        + (endpoint == null ? "" : " at " + endpoint);
  }
}
