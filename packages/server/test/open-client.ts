import OpenAI from 'openai';
import { type OpenServer, openTaleServer } from './open-server.js';

/** A server of the in-tree model with OpenAI's client of it, and what it calls the model. */
export async function openTaleClient(): Promise<{ served: OpenServer; client: OpenAI; model: string }> {
  const served = await openTaleServer();
  const client = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'unused', maxRetries: 0 });
  return { served, client, model: served.server.modelName };
}
