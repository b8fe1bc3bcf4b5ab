export { type StopResult, StopStrings } from './stop-strings.js';
