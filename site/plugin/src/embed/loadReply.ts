// In place of the theme's own: what shows replies is a file that is handed what it shares with the panel.
import * as jsx from "preact/jsx-runtime";
import { useEffect, useId, useRef, useState } from "react";
import { translate } from "@docusaurus/Translate";
import { importer } from "./importer";
import type * as Reply from "./reply";

const SHARED: Record<string, object> = {
  "preact/jsx-runtime": jsx,
  react: { useEffect, useId, useRef, useState },
  "@docusaurus/Translate": { translate },
};

type Made = (require: (name: string) => object, module: { exports: typeof Reply }) => void;

const load = importer<{ default: Made }>(new URL("reply.js", import.meta.url).href);
let loaded: typeof Reply | undefined;

export async function loadReply(): Promise<typeof Reply> {
  if (!loaded) {
    const module = {} as { exports: typeof Reply };
    (await load()).default((name) => SHARED[name]!, module);
    loaded = module.exports;
  }
  return loaded;
}
