extension ModelDefinition {
  private static let identifierKey = "userDefinedModelVersionIdentifier"

  /// What people call the version: `version`, or the identifier of Xcode's that stands beside the name of its file.
  var versionIdentifier: String? { version ?? xcode.text(Self.identifierKey) }

  /// Keeps an identifier that is not the name of the version's file where it misleads nobody: under `xcode`.
  mutating func keepIdentifier(besides name: String) {
    guard let identifier = version, identifier != name else { return }
    version = nil
    xcode[Self.identifierKey] = .string(identifier)
  }

  /// Makes the identifier that was kept under `xcode` the `version` again.
  mutating func takeIdentifierFromXcode() {
    version = versionIdentifier
    xcode[Self.identifierKey] = nil
  }
}
