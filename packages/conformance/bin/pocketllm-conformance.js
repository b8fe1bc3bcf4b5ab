#!/usr/bin/env node
// Stands in the repository, so that npm can link the command before anything is built.
import '../dist/main.js';
