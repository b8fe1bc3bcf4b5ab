import './style/page.css';
import { Api } from './api/api.js';
import { ApiFailure } from './api/fault.js';
import { App } from './app.js';
import { openStore } from './conversation/store.js';
import { textButton } from './view/button.js';
import { askText } from './view/dialogs.js';

const retryMs = 3000;

const api = new Api();
const store = await openStore((id) => void app.reload(id));
const app = new App(api, store, enterKey);

/** Asks until the key is right; false where the person gives up. */
async function enterKey(
  about = 'This server asks for a key. It is kept until the tab is closed.',
): Promise<boolean> {
  const key = await askText('API key', { label: 'Key', type: 'password', button: 'Continue', about });
  if (key === undefined) {
    app.notice(
      'This server needs an API key.',
      textButton('Enter the API key', () => void enterKey()),
    );
    return false;
  }
  api.key = key;
  return loadModel();
}

/** Shows which model answers; asks for what is needed to know it. */
async function loadModel(): Promise<boolean> {
  try {
    app.showModel(await api.model());
    app.notice(
      store.lasts ? '' : 'This browser keeps nothing for this page: conversations end with the tab.',
    );
    return true;
  } catch (error) {
    const fault = error instanceof ApiFailure ? error.fault : undefined;
    if (fault?.kind === 'key') {
      const isKnown = api.key !== undefined;
      api.key = undefined;
      return enterKey(isKnown ? fault.message : undefined);
    }
    app.notice(fault?.message ?? String(error));
    setTimeout(() => void loadModel(), retryMs);
    return false;
  }
}

const openWhatIsNamed = () => {
  const id = location.hash.slice(1);
  if (id !== '') void app.open(id, true);
  else app.start();
};
window.addEventListener('popstate', openWhatIsNamed);
openWhatIsNamed();
void loadModel();
