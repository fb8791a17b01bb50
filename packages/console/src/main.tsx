import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createQueryClient } from './app/query-client.ts';
import { createConsoleRouter } from './app/router.tsx';
import { createApi } from './lib/api/api.ts';
import { Session } from './lib/session.ts';
import './app/theme.css';

const base = new URL('.', document.baseURI);
const baseUrl = base.href.replace(/\/$/, '');
const session = new Session(window.sessionStorage);
const api = createApi({ baseUrl, session });
const queryClient = createQueryClient();
const router = createConsoleRouter({ api, queryClient }, base.pathname);

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element');
createRoot(root).render(
  <StrictMode>
    <App {...{ api, baseUrl, session, queryClient, router }} />
  </StrictMode>,
);
