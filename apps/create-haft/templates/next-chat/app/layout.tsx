import type { ReactNode } from 'react';
import { describeModel } from '../lib/describe-model.ts';
import './globals.css';

export const metadata = { title: 'my-haft-project', description: 'A chat whose tools run through Haft.' };

/** The variables of the running server choose the model, not those of the build. */
export const dynamic = 'force-dynamic';

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
        <footer>{describeModel(process.env)}</footer>
      </body>
    </html>
  );
}
