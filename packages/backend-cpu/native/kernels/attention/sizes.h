// Sizes and attributes of an attention and an attention_full call. The order stands in src/plan/records.ts too.
#pragma once

struct AttentionSizes {
  enum Size { kRows, kHeads, kKvHeads, kHeadSize, kValueSize, kWindow };
  enum Attribute { kScale, kSoftcap };
};
