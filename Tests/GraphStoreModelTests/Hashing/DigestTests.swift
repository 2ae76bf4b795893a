import Testing

@testable import GraphStoreModel

@Suite("Digests")
struct DigestTests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }.joined()
  }

  @Test(
    "MDL-321: SHA-256 gives the published hashes",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sha256(text: String, expected: String) {
    #expect(hexadecimal(SHA256.hash(text.utf8)) == expected)
  }

  @Test("MDL-321: SHA-256 of a million letters")
  func sha256Long() {
    let bytes = [UInt8](repeating: 0x61, count: 1_000_000)
    #expect(
      hexadecimal(SHA256.hash(bytes)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test(
    "STO-224: SHA-512 gives the published hashes",
    arguments: [
      (
        "",
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
          + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
      ),
      (
        "abc",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
    ])
  func sha512(text: String, expected: String) {
    #expect(hexadecimal(SHA512.hash(text.utf8)) == expected)
  }

  @Test("STO-224: SHA-512 pads lengths around its block of 128 bytes", arguments: [111, 112, 127, 128, 129])
  func sha512Padding(count: Int) {
    let bytes = [UInt8](repeating: 0x62, count: count)
    #expect(SHA512.hash(bytes).count == 64)
    #expect(SHA512.hash(bytes) != SHA512.hash(bytes + [0x62]))
  }
}
