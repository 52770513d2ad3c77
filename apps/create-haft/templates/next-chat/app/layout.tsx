import type { ReactNode } from 'react';
import './globals.css';

export const metadata = { title: 'my-haft-project', description: 'A chat whose tools run through Haft.' };

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
