import Foundation
import Testing

@testable import GraphStorePredicates

struct ProcessLocaleTests {
  @Test(
    "PRD-265: the process's locale is that of LC_ALL, LC_COLLATE or LANG, the first that says something",
    arguments: [
      ([:], nil), (["LANG": "sv_SE.UTF-8"], "sv_SE"), (["LC_ALL": "", "LANG": "da"], "da"),
      (["LC_ALL": "de_DE@euro", "LC_COLLATE": "it", "LANG": "fr"], "de_DE"),
      (["LC_COLLATE": "it_IT", "LANG": "fr", "LC_MESSAGES": "es"], "it_IT"),
      (["LC_ALL": "C", "LANG": "fr"], nil), (["LANG": "POSIX"], nil), (["LANG": "C.UTF-8"], nil),
      (["LANG": "../etc"], nil), (["LANG": ".UTF-8"], nil),
    ] as [([String: String], String?)])
  func environment(_ environment: [String: String], _ identifier: String?) {
    #expect(ProcessLocale.locale { environment[$0] }?.identifier == identifier)
  }
}
