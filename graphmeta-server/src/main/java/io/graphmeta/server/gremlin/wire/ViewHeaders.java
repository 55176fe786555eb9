package io.graphmeta.server.gremlin.wire;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * What browsers are told of the view: to run its own scripts alone, to send nothing elsewhere, and
 * to show it in no frame of another page.
 */
final class ViewHeaders {
  static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private ViewHeaders() {}

  static void set(HttpHeaders headers, boolean isData) {
    headers.set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set(HttpHeaderNames.CACHE_CONTROL, isData ? "no-store" : "no-cache");
    headers.set(HttpHeaderNames.VARY, "Accept-Encoding");
  }
}
