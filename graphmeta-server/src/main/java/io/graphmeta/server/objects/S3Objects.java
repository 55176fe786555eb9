package io.graphmeta.server.objects;

import io.graphmeta.backup.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The objects below a place in a service that speaks S3. Who asks is told by the environment, as
 * the tools of Amazon have it: {@code AWS_ACCESS_KEY_ID} and {@code AWS_SECRET_ACCESS_KEY}, a
 * profile in {@code ~/.aws}, or the machine. Each request is repeated some times when the service
 * is busy or the connection breaks. Belongs to one thread.
 */
public final class S3Objects implements ObjectStore, AutoCloseable {
  /** The most that one request may bring, by the service. */
  private static final long MAX_BYTES = 5L << 30;

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(20);

  /** Without a byte. */
  private static final Duration SILENCE_LIMIT = Duration.ofSeconds(60);

  private static final int BUFFER_BYTES = 1 << 20;

  private final S3Place place;
  private final S3Client client;

  /** The objects of a place. Nothing is asked yet. */
  public S3Objects(S3Place place) {
    this.place = place;
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(CONNECT_LIMIT)
                    .socketTimeout(SILENCE_LIMIT))
            // Services of own machines do not know the checksums of Amazon; all know MD5.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .region(region(place));
    if (place.endpoint() != null) {
      builder.endpointOverride(place.endpoint()).forcePathStyle(true);
    }
    this.client = builder.build();
  }

  private static Region region(S3Place place) {
    if (!place.region().isEmpty()) {
      return Region.of(place.region());
    }
    try {
      // Only a machine of Amazon is asked where it is: others let it wait for an answer.
      AwsRegionProvider named =
          place.endpoint() == null
              ? DefaultAwsRegionProviderChain.builder().build()
              : new AwsRegionProviderChain(
                  new SystemSettingsRegionProvider(), new AwsProfileRegionProvider());
      return named.getRegion();
    } catch (SdkException e) {
      return Region.US_EAST_1; // as services of own machines call theirs, unless told otherwise
    }
  }

  @Override
  public String place() {
    return place.toString();
  }

  @Override
  public SortedMap<String, Long> list() throws IOException {
    return asked(
        "",
        () -> {
          SortedMap<String, Long> sizes = new TreeMap<>();
          client
              .listObjectsV2Paginator(ask -> ask.bucket(place.bucket()).prefix(place.prefix()))
              .contents()
              .forEach(
                  each -> sizes.put(each.key().substring(place.prefix().length()), each.size()));
          return sizes;
        });
  }

  @Override
  public void put(String name, Path file) throws IOException {
    long bytes = Files.size(file);
    if (bytes > MAX_BYTES) {
      throw new IOException(
          file + " has " + bytes + " bytes; S3 takes at most " + MAX_BYTES + " at once");
    }
    String md5 = md5(file);
    asked(
        name,
        () ->
            client.putObject(
                ask -> ask.bucket(place.bucket()).key(place.prefix() + name).contentMD5(md5),
                RequestBody.fromFile(file)));
  }

  /** By which the service finds out whether it was sent what is in the file. */
  private static String md5(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      byte[] buffer = new byte[BUFFER_BYTES];
      try (InputStream in = Files.newInputStream(file)) {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          digest.update(buffer, 0, read);
        }
      }
      return Base64.getEncoder().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IOException("This Java has no MD5, which S3 asks for", e);
    }
  }

  @Override
  public InputStream open(String name) throws IOException {
    ResponseInputStream<GetObjectResponse> content =
        asked(
            name,
            () -> client.getObject(ask -> ask.bucket(place.bucket()).key(place.prefix() + name)));
    Long bytes = content.response().contentLength();
    return bytes == null ? content : new WholeStream(content, place + "/" + name, bytes);
  }

  @Override
  public void delete(String name) throws IOException {
    asked(
        name,
        () -> client.deleteObject(ask -> ask.bucket(place.bucket()).key(place.prefix() + name)));
  }

  private <T> T asked(String name, Supplier<T> request) throws IOException {
    try {
      return request.get();
    } catch (NoSuchKeyException e) {
      throw new NoSuchFileException(place + "/" + name);
    } catch (S3Exception e) {
      throw new IOException(
          place
              + " answers "
              + e.statusCode()
              + (e.awsErrorDetails() == null ? "" : " " + e.awsErrorDetails().errorCode())
              + (e.awsErrorDetails() == null || e.awsErrorDetails().errorMessage() == null
                  ? ""
                  : ": " + e.awsErrorDetails().errorMessage())
              + hint(e.statusCode()),
          e);
    } catch (SdkException e) {
      throw new IOException(place + " cannot be asked: " + e.getMessage(), e);
    }
  }

  private static String hint(int status) {
    return switch (status) {
      case 401, 403 -> "; look after AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile";
      case 404 -> "; make the bucket first";
      default -> "";
    };
  }

  @Override
  public void close() {
    client.close();
  }
}
