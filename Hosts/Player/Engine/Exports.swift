// What the engine finds out is told in the words of the rules, which other players are followed by too.
@_exported public import MediaRules
