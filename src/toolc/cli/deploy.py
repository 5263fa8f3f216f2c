"""What `toolc init --deploy` writes: a Dockerfile, and manifests for Kubernetes."""

from __future__ import annotations

import re

from toolc import __version__
from toolc.model.project import Project

_DOCKERFILE = """\
# docker build -t {name} . && docker run -p 8000:8000 {name}
FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1
RUN pip install --no-cache-dir "toolc[serve]>={version}"
# What your handlers need beside toolc:
# COPY requirements.txt .
# RUN pip install --no-cache-dir -r requirements.txt

WORKDIR /app
COPY . .
# Nothing goes out that is not what the definitions ask for.
RUN toolc build --check --no-cache

USER 10001
EXPOSE 8000
# A further --allow-host for each name by which clients reach the server.
CMD ["python", "-m", "{package}", "--transport", "http", "--host", "0.0.0.0", "--port", "8000", \\
     "--workers", "2", "--allow-host", "{name}"]
"""

_IGNORED = """\
.git
.venv
.toolc_cache
**/__pycache__
"""

_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {name}
  labels:
    app.kubernetes.io/name: {name}
spec:
  replicas: 2
  selector:
    matchLabels:
      app.kubernetes.io/name: {name}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {name}
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: server
          image: {name}:latest  # name a version, or a digest
          ports:
            - name: http
              containerPort: 8000
          env:
            # What one replica asked, another can take the answer to, if all have one key:
            # kubectl create secret generic {name} --from-literal=state-key=$(openssl rand -hex 32)
            - name: TOOLC_STATE_KEY
              valueFrom:
                secretKeyRef:
                  name: {name}
                  key: state-key
                  optional: true
          startupProbe:
            httpGet:
              path: /healthz
              port: http
            periodSeconds: 1
            failureThreshold: 60
          readinessProbe:
            httpGet:
              path: /healthz
              port: http
            periodSeconds: 5
          livenessProbe:
            httpGet:
              path: /healthz
              port: http
            periodSeconds: 10
          resources:
            requests:
              cpu: 250m
              memory: 256Mi
            limits:
              memory: 512Mi
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
"""

_SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: {name}
  labels:
    app.kubernetes.io/name: {name}
spec:
  selector:
    app.kubernetes.io/name: {name}
  ports:
    - name: http
      port: 80
      targetPort: http
"""

_SCALER = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {name}
  labels:
    app.kubernetes.io/name: {name}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {name}
  minReplicas: 2
  maxReplicas: 10
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 70
"""

_FILES = {
    "Dockerfile": _DOCKERFILE,
    ".dockerignore": _IGNORED,
    "deploy/deployment.yaml": _DEPLOYMENT,
    "deploy/service.yaml": _SERVICE,
    "deploy/hpa.yaml": _SCALER,
}

_LONGEST_NAME = 50
"""Characters; Kubernetes has names of up to 63 for services, and puts some behind them."""


def deploy_texts(server_name: str, project: Project) -> dict[str, str]:
    """The files by their paths. Nothing of the project goes into them but names of a safe alphabet."""
    name = re.sub(r"[^a-z0-9]+", "-", server_name.lower())[:_LONGEST_NAME].strip("-")
    name = name if name[:1].isalpha() else f"mcp-{name}".strip("-")
    values = {"name": name, "package": project.python.package, "version": __version__}
    return {path: text.format(**values) for path, text in _FILES.items()}
