package io.graphmeta.server.cli.backup;

import io.graphmeta.server.objects.S3Objects;
import io.graphmeta.server.objects.S3Place;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the service lies that keeps objects. */
final class ObjectOptions {
  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description = "The service, such as https://s3.example.org:9000. Default: that of Amazon.")
  private @Nullable String endpoint;

  @Option(
      names = "--region",
      paramLabel = "NAME",
      defaultValue = "",
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
      description =
          "The region, as the service calls it. Default: AWS_REGION, that of the profile, or us-east-1.")
  private String region = "";

  /** The objects of a place. */
  S3Objects open(String url) {
    return new S3Objects(S3Place.of(url, endpoint, region));
  }
}
