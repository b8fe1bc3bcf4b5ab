#include "plan.h"

#include "../formats/panel_rows.h"
#include "failure.h"

namespace {

/** Takes numbers of one record in order. */
class Reader {
 public:
  explicit Reader(const double* at) : at_(at) {}
  double number() { return *at_++; }
  int64_t integer() { return static_cast<int64_t>(number()); }

 private:
  const double* at_;
};

}  // namespace

Plan readPlan(const std::string& isa, const double* records, size_t count, const std::vector<std::string>& opNames) {
  if (count % kRecordNumbers != 0) throw Misuse("a plan is whole records");
  Plan plan;
  for (size_t at = 0; at < count; at += kRecordNumbers) {
    Reader reader(records + at);
    PlannedOp op{};
    op.kind = static_cast<OpKind>(reader.integer());
    const std::string& name = opNames.at(static_cast<size_t>(reader.integer()));
    const int format = static_cast<int>(reader.integer());
    op.kernel = findKernel(isa, name, format);
    // The kernels of attention are those of the cache, which comes with the step.
    const bool needsKernel = op.kind != OpKind::kAttention;
    if (needsKernel && op.kernel == nullptr) throw Misuse("no kernel of " + name + " on " + isa);
    if (name == "matmul" && op.kernel->rowsAtOnce == kPanelRows) op.pack = findKernel(isa, "pack_panels", format);
    for (int64_t& in : op.in) in = reader.integer();
    for (int64_t& out : op.out) out = reader.integer();
    for (double& size : op.size) size = reader.number();
    for (double& attribute : op.attribute) attribute = reader.number();
    op.leadingUnits = reader.number();
    op.unitsEach = reader.integer();
    op.portion = reader.integer();
    op.cacheLayer = reader.integer();
    plan.ops.push_back(op);
  }
  return plan;
}
