/// Scripts by which shells complete lines of the command: each asks `graphstore completions --line` for the
/// words that may stand at the cursor, and takes files where there are none.
enum CompletionScript {
  static func text(for shell: CompletionsCommand.Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// Bash divides words at `:` and `=` too, so that a candidate loses what stands before the part at the
  /// cursor.
  private static let bash = #"""
    # Completion of graphstore in bash.
    _graphstore() {
      local line=${COMP_LINE:0:COMP_POINT} part=${COMP_WORDS[COMP_CWORD]} word candidate
      word=${line##*[[:space:]]}
      COMPREPLY=()
      while IFS= read -r candidate; do
        COMPREPLY+=("${candidate#"${word%"$part"}"}")
      done < <("${COMP_WORDS[0]}" completions --line "$line" 2>/dev/null)
      if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/.:=] ]]; then compopt -o nospace; fi
    }
    complete -o default -F _graphstore graphstore
    """#

  private static let zsh = #"""
    #compdef graphstore
    # Completion of graphstore in zsh.
    _graphstore() {
      local -a candidates
      candidates=("${(@f)$(graphstore completions --line "$LBUFFER" 2>/dev/null)}")
      candidates=(${candidates:#})
      if (( $#candidates )); then
        compadd -S '' -- ${(M)candidates:#*[/.:=]}
        compadd -- ${candidates:#*[/.:=]}
      else
        _files
      fi
    }
    _graphstore "$@"
    """#

  private static let fish = #"""
    # Completion of graphstore in fish.
    function __graphstore_complete
      set -l candidates (graphstore completions --line (commandline -cp | string collect) 2>/dev/null)
      if test (count $candidates) -gt 0
        printf '%s\n' $candidates
      else
        __fish_complete_path (commandline -ct)
      end
    end
    complete -c graphstore -f -a '(__graphstore_complete)'
    """#
}
