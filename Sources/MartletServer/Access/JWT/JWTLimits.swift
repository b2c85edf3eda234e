/// The bounds of JWTs, of the keys that check them, and of what a configuration says of them.
public enum JWTLimits {
  /// Bytes of a file of keys; a longer one is refused.
  static let keyFileBytesMax = 1 << 20
  /// Keys of one issuer, those that are not used here included.
  static let keysMax = 100
  /// Bytes of the `kid` of a key; a longer one is refused.
  static let keyIDBytesMax = 256
  /// The fewest bits of an RSA key; a shorter one is refused.
  static let rsaBitsMin = 2_048
  /// The work of a check grows with the square, and a loop does it.
  static let rsaBitsMax = 4_096
  /// The latest time that is accepted: the end of the year 9999.
  static let secondsMax = 253_402_300_799.0
  /// Objects and lists inside of each other.
  static let jsonDepthMax = 16

  /// Bytes of an issuer's name, an audience, the name of a claim and a value that has a role.
  public static let nameBytesMax = 512
  /// Claims that are taken over; beside them there is `name`.
  public static let claimsMax = TokenLimits.claimsMax - 1
  /// Seconds that an issuer's clock may be ahead.
  public static let leewaySecondsMax = 300
  /// The fewest seconds that a configuration can let a JWT be valid.
  public static let lifetimeSecondsMin = 10
  /// The most seconds that a configuration can let a JWT be valid.
  public static let lifetimeSecondsMax = AccessLimits.identitySecondsMax

  /// Seconds that an issuer's clock may be ahead, and that a JWT may be valid, if the configuration does not say.
  static let leewaySecondsDefault = 30
  static let lifetimeSecondsDefault = 86_400
}
