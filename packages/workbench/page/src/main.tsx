import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { followChanges } from './data/changes.ts';
import { takeToken } from './data/token.ts';

takeToken();
followChanges();
createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
