// A manifest's renditions are those of the rules of playback.
@_exported public import MediaRules
