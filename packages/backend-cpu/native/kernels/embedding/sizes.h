// Sizes and attributes of an embedding call. The order stands in src/plan/lowerings.ts too.
#pragma once

struct EmbeddingSizes {
  enum Size { kVocabulary, kCols, kRowBytes };
  /** Whether the table stands in panels: set by native code, where a matmul reads it too. */
  enum Attribute { kInPanels };
};
