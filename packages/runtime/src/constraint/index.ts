export {
  type AnswerHabits,
  type ConstraintOptions,
  Constraints,
  type MakeConstraint,
  type ToolChoice,
} from './constraints.js';
export type { ResponseFormat } from './response-format.js';
