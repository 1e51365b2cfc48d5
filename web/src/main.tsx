import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/feed.css";
import "./style/page.css";
import "./style/prose.css";
import "./style/work.css";
import "./style/chat.css";
import "./style/rooms.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { prepareText } from "./markdown/Text";
import { startRouting } from "./route/here";

startRouting();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
prepareText();
