// Sizes of a matmul and a matmul_experts call. The order stands in src/plan/records.ts too.
#pragma once

struct MatmulSizes {
  enum Size { kRows, kInFeatures, kOutFeatures, kRowBytes, kXRowBytes };
};

/** After those of a matmul. kInputGroups and kOutputGroups stand among the attributes. */
struct MatmulExpertsSizes {
  enum Size { kSlots = MatmulSizes::kXRowBytes + 1 };
  enum Attribute { kExperts, kInputGroups, kOutputGroups };
};
