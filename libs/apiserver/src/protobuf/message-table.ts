// Written by scripts/protobuf-messages.mjs.

/** One message per line: its name and its fields. */
export const messageTable = `
admissionregistration.v1.ApplyConfiguration expression:1?s
admissionregistration.v1.AuditAnnotation key:1s valueExpression:2s
admissionregistration.v1.ExpressionWarning fieldRef:2s warning:3s
admissionregistration.v1.JSONPatch expression:1?s
admissionregistration.v1.MatchCondition name:1s expression:2s
admissionregistration.v1.MatchResources namespaceSelector:1?*@meta.v1.LabelSelector objectSelector:2?*@meta.v1.LabelSelector resourceRules:3?[@NamedRuleWithOperations excludeResourceRules:4?[@NamedRuleWithOperations matchPolicy:7?*s
admissionregistration.v1.MutatingAdmissionPolicy metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@MutatingAdmissionPolicySpec
admissionregistration.v1.MutatingAdmissionPolicyBinding metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@MutatingAdmissionPolicyBindingSpec
admissionregistration.v1.MutatingAdmissionPolicyBindingSpec policyName:1?s paramRef:2?*@ParamRef matchResources:3?*@MatchResources
admissionregistration.v1.MutatingAdmissionPolicySpec paramKind:1?*@ParamKind matchConstraints:2?*@MatchResources variables:3?[@Variable mutations:4?[@Mutation failurePolicy:5?*s matchConditions:6?[@MatchCondition reinvocationPolicy:7?s
admissionregistration.v1.MutatingWebhook name:1s clientConfig:2@WebhookClientConfig rules:3?[@RuleWithOperations failurePolicy:4?*s matchPolicy:9?*s namespaceSelector:5?*@meta.v1.LabelSelector objectSelector:11?*@meta.v1.LabelSelector sideEffects:6*s timeoutSeconds:7?*i admissionReviewVersions:8[s reinvocationPolicy:10?*s matchConditions:12?[@MatchCondition
admissionregistration.v1.MutatingWebhookConfiguration metadata=ObjectMeta:1?@meta.v1.ObjectMeta webhooks:2?[@MutatingWebhook
admissionregistration.v1.Mutation patchType:2s applyConfiguration:3?*@ApplyConfiguration jsonPatch=JSONPatch:4?*@JSONPatch
admissionregistration.v1.NamedRuleWithOperations resourceNames:1?[s =RuleWithOperations:2+@RuleWithOperations
admissionregistration.v1.ParamKind apiVersion=APIVersion:1?s kind:2?s
admissionregistration.v1.ParamRef name:1?s namespace:2?s selector:3?*@meta.v1.LabelSelector parameterNotFoundAction:4?*s
admissionregistration.v1.Rule apiGroups=APIGroups:1?[s apiVersions=APIVersions:2?[s resources:3?[s scope:4?*s
admissionregistration.v1.RuleWithOperations operations:1?[s =Rule:2+@Rule
admissionregistration.v1.ServiceReference namespace:1s name:2s path:3?*s port:4?*i
admissionregistration.v1.TypeChecking expressionWarnings:1?[@ExpressionWarning
admissionregistration.v1.ValidatingAdmissionPolicy metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@ValidatingAdmissionPolicySpec status:3?@ValidatingAdmissionPolicyStatus
admissionregistration.v1.ValidatingAdmissionPolicyBinding metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@ValidatingAdmissionPolicyBindingSpec
admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec policyName:1?s paramRef:2?*@ParamRef matchResources:3?*@MatchResources validationActions:4?[s
admissionregistration.v1.ValidatingAdmissionPolicySpec paramKind:1?*@ParamKind matchConstraints:2?*@MatchResources validations:3?[@Validation failurePolicy:4?*s auditAnnotations:5?[@AuditAnnotation matchConditions:6?[@MatchCondition variables:7?[@Variable
admissionregistration.v1.ValidatingAdmissionPolicyStatus observedGeneration:1?i typeChecking:2?*@TypeChecking conditions:3?[@meta.v1.Condition
admissionregistration.v1.ValidatingWebhook name:1s clientConfig:2@WebhookClientConfig rules:3?[@RuleWithOperations failurePolicy:4?*s matchPolicy:9?*s namespaceSelector:5?*@meta.v1.LabelSelector objectSelector:10?*@meta.v1.LabelSelector sideEffects:6*s timeoutSeconds:7?*i admissionReviewVersions:8[s matchConditions:11?[@MatchCondition
admissionregistration.v1.ValidatingWebhookConfiguration metadata=ObjectMeta:1?@meta.v1.ObjectMeta webhooks:2?[@ValidatingWebhook
admissionregistration.v1.Validation expression:1s message:2?s reason:3?*s messageExpression:4?s
admissionregistration.v1.Variable name:1s expression:2s
admissionregistration.v1.WebhookClientConfig url=URL:3?*s service:1?*@ServiceReference caBundle=CABundle:2?y
apiextensions.v1.CustomResourceColumnDefinition name:1s type:2s format:3?s description:4?s priority:5?i jsonPath=JSONPath:6s
apiextensions.v1.CustomResourceConversion strategy:1s webhook:2?*@WebhookConversion
apiextensions.v1.CustomResourceDefinition metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@CustomResourceDefinitionSpec status:3?@CustomResourceDefinitionStatus
apiextensions.v1.CustomResourceDefinitionCondition type:1s status:2s lastTransitionTime:3?T reason:4?s message:5?s observedGeneration:6?i
apiextensions.v1.CustomResourceDefinitionNames plural:1s singular:2?s shortNames:3?[s kind:4s listKind:5?s categories:6?[s
apiextensions.v1.CustomResourceDefinitionSpec group:1s names:3@CustomResourceDefinitionNames scope:4s versions:7[@CustomResourceDefinitionVersion conversion:9?*@CustomResourceConversion preserveUnknownFields:10?b
apiextensions.v1.CustomResourceDefinitionStatus conditions:1[@CustomResourceDefinitionCondition acceptedNames:2@CustomResourceDefinitionNames storedVersions:3[s observedGeneration:4?i
apiextensions.v1.CustomResourceDefinitionVersion name:1s served:2b storage:3b deprecated:7?b deprecationWarning:8?*s schema:4?*@CustomResourceValidation subresources:5?*@CustomResourceSubresources additionalPrinterColumns:6?[@CustomResourceColumnDefinition selectableFields:9?[@SelectableField
apiextensions.v1.CustomResourceSubresourceScale specReplicasPath:1s statusReplicasPath:2s labelSelectorPath:3?*s
apiextensions.v1.CustomResourceSubresourceStatus 
apiextensions.v1.CustomResourceSubresources status:1?*@CustomResourceSubresourceStatus scale:2?*@CustomResourceSubresourceScale
apiextensions.v1.CustomResourceValidation openAPIV3Schema:1?*@JSONSchemaProps
apiextensions.v1.ExternalDocumentation description:1?s url=URL:2?s
apiextensions.v1.JSONSchemaProps id=ID:1?s $schema=Schema:2?s $ref=Ref:3?*s description:4?s type:5?s format:6?s title:7?s default:8?*R maximum:9?*d exclusiveMaximum:10?b minimum:11?*d exclusiveMinimum:12?b maxLength:13?*i minLength:14?*i pattern:15?s maxItems:16?*i minItems:17?*i uniqueItems:18?b multipleOf:19?*d enum:20?[R maxProperties:21?*i minProperties:22?*i required:23?[s items:24?*A allOf:25?[@JSONSchemaProps oneOf:26?[@JSONSchemaProps anyOf:27?[@JSONSchemaProps not:28?*@JSONSchemaProps properties:29?{@JSONSchemaProps additionalProperties:30?*B patternProperties:31?{@JSONSchemaProps dependencies:32?{C additionalItems:33?*B definitions:34?{@JSONSchemaProps externalDocs:35?*@ExternalDocumentation example:36?*R nullable:37?b x-kubernetes-preserve-unknown-fields=XPreserveUnknownFields:38?*b x-kubernetes-embedded-resource=XEmbeddedResource:39?b x-kubernetes-int-or-string=XIntOrString:40?b x-kubernetes-list-map-keys=XListMapKeys:41?[s x-kubernetes-list-type=XListType:42?*s x-kubernetes-map-type=XMapType:43?*s x-kubernetes-validations=XValidations:44?[@ValidationRule
apiextensions.v1.SelectableField jsonPath=JSONPath:1s
apiextensions.v1.ServiceReference namespace:1s name:2s path:3?*s port:4?*i
apiextensions.v1.ValidationRule rule:1s message:2?s messageExpression:3?s reason:4?*s fieldPath:5?s optionalOldSelf:6?*b
apiextensions.v1.WebhookClientConfig url=URL:3?*s service:1?*@ServiceReference caBundle=CABundle:2?y
apiextensions.v1.WebhookConversion clientConfig:2?*@WebhookClientConfig conversionReviewVersions:3[s
apps.v1.ControllerRevision metadata=ObjectMeta:1?@meta.v1.ObjectMeta data:2?R revision:3i
apps.v1.DaemonSet metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@DaemonSetSpec status:3?@DaemonSetStatus
apps.v1.DaemonSetCondition type:1s status:2s lastTransitionTime:3?T reason:4?s message:5?s
apps.v1.DaemonSetSpec selector:1*@meta.v1.LabelSelector template:2@core.v1.PodTemplateSpec updateStrategy:3?@DaemonSetUpdateStrategy minReadySeconds:4?i revisionHistoryLimit:6?*i
apps.v1.DaemonSetStatus currentNumberScheduled:1i numberMisscheduled:2i desiredNumberScheduled:3i numberReady:4i observedGeneration:5?i updatedNumberScheduled:6?i numberAvailable:7?i numberUnavailable:8?i collisionCount:9?*i conditions:10?[@DaemonSetCondition
apps.v1.DaemonSetUpdateStrategy type:1?s rollingUpdate:2?*@RollingUpdateDaemonSet
apps.v1.Deployment metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@DeploymentSpec status:3?@DeploymentStatus
apps.v1.DeploymentCondition type:1s status:2s lastUpdateTime:6?T lastTransitionTime:7?T reason:4?s message:5?s
apps.v1.DeploymentSpec replicas:1?*i selector:2*@meta.v1.LabelSelector template:3@core.v1.PodTemplateSpec strategy:4?@DeploymentStrategy minReadySeconds:5?i revisionHistoryLimit:6?*i paused:7?b progressDeadlineSeconds:9?*i
apps.v1.DeploymentStatus observedGeneration:1?i replicas:2?i updatedReplicas:3?i readyReplicas:7?i availableReplicas:4?i unavailableReplicas:5?i terminatingReplicas:9?*i conditions:6?[@DeploymentCondition collisionCount:8?*i
apps.v1.DeploymentStrategy type:1?s rollingUpdate:2?*@RollingUpdateDeployment
apps.v1.ReplicaSet metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@ReplicaSetSpec status:3?@ReplicaSetStatus
apps.v1.ReplicaSetCondition type:1s status:2s lastTransitionTime:3?T reason:4?s message:5?s
apps.v1.ReplicaSetSpec replicas:1?*i minReadySeconds:4?i selector:2*@meta.v1.LabelSelector template:3?@core.v1.PodTemplateSpec
apps.v1.ReplicaSetStatus replicas:1i fullyLabeledReplicas:2?i readyReplicas:4?i availableReplicas:5?i terminatingReplicas:7?*i observedGeneration:3?i conditions:6?[@ReplicaSetCondition
apps.v1.RollingUpdateDaemonSet maxUnavailable:1?*I maxSurge:2?*I
apps.v1.RollingUpdateDeployment maxUnavailable:1?*I maxSurge:2?*I
apps.v1.RollingUpdateStatefulSetStrategy partition:1?*i maxUnavailable:2?*I
apps.v1.StatefulSet metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@StatefulSetSpec status:3?@StatefulSetStatus
apps.v1.StatefulSetCondition type:1s status:2s lastTransitionTime:3?T reason:4?s message:5?s
apps.v1.StatefulSetOrdinals start:1i
apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:1?s whenScaled:2?s
apps.v1.StatefulSetSpec replicas:1?*i selector:2*@meta.v1.LabelSelector template:3@core.v1.PodTemplateSpec volumeClaimTemplates:4?[@core.v1.PersistentVolumeClaim serviceName:5s podManagementPolicy:6?s updateStrategy:7?@StatefulSetUpdateStrategy revisionHistoryLimit:8?*i minReadySeconds:9?i persistentVolumeClaimRetentionPolicy:10?*@StatefulSetPersistentVolumeClaimRetentionPolicy ordinals:11?*@StatefulSetOrdinals
apps.v1.StatefulSetStatus observedGeneration:1?i replicas:2i readyReplicas:3?i currentReplicas:4?i updatedReplicas:5?i currentRevision:6?s updateRevision:7?s collisionCount:9?*i conditions:10?[@StatefulSetCondition availableReplicas:11i
apps.v1.StatefulSetUpdateStrategy type:1?s rollingUpdate:2?*@RollingUpdateStatefulSetStrategy
authentication.v1.BoundObjectReference kind:1?s apiVersion=APIVersion:2?s name:3?s uid=UID:4?s
authentication.v1.SelfSubjectReview metadata=ObjectMeta:1?@meta.v1.ObjectMeta status:2?@SelfSubjectReviewStatus
authentication.v1.SelfSubjectReviewStatus userInfo:1?@UserInfo
authentication.v1.TokenRequest metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@TokenRequestSpec status:3?@TokenRequestStatus
authentication.v1.TokenRequestSpec audiences:1[s expirationSeconds:4*i boundObjectRef:3*@BoundObjectReference
authentication.v1.TokenRequestStatus token:1s expirationTimestamp:2T
authentication.v1.TokenReview metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@TokenReviewSpec status:3?@TokenReviewStatus
authentication.v1.TokenReviewSpec token:1?s audiences:2?[s
authentication.v1.TokenReviewStatus authenticated:1?b user:2?@UserInfo audiences:4?[s error:3?s
authentication.v1.UserInfo username:1?s uid=UID:2?s groups:3?[s extra:4?{Ls
authorization.v1.FieldSelectorAttributes rawSelector:1?s requirements:2?[@meta.v1.FieldSelectorRequirement
authorization.v1.LabelSelectorAttributes rawSelector:1?s requirements:2?[@meta.v1.LabelSelectorRequirement
authorization.v1.LocalSubjectAccessReview metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@SubjectAccessReviewSpec status:3?@SubjectAccessReviewStatus
authorization.v1.NonResourceAttributes path:1?s verb:2?s
authorization.v1.NonResourceRule verbs:1[s nonResourceURLs:2?[s
authorization.v1.ResourceAttributes namespace:1?s verb:2?s group:3?s version:4?s resource:5?s subresource:6?s name:7?s fieldSelector:8?*@FieldSelectorAttributes labelSelector:9?*@LabelSelectorAttributes
authorization.v1.ResourceRule verbs:1[s apiGroups=APIGroups:2?[s resources:3?[s resourceNames:4?[s
authorization.v1.SelfSubjectAccessReview metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@SelfSubjectAccessReviewSpec status:3?@SubjectAccessReviewStatus
authorization.v1.SelfSubjectAccessReviewSpec resourceAttributes:1?*@ResourceAttributes nonResourceAttributes:2?*@NonResourceAttributes
authorization.v1.SelfSubjectRulesReview metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@SelfSubjectRulesReviewSpec status:3?@SubjectRulesReviewStatus
authorization.v1.SelfSubjectRulesReviewSpec namespace:1?s
authorization.v1.SubjectAccessReview metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@SubjectAccessReviewSpec status:3?@SubjectAccessReviewStatus
authorization.v1.SubjectAccessReviewSpec resourceAttributes:1?*@ResourceAttributes nonResourceAttributes:2?*@NonResourceAttributes user:3?s groups:4?[s extra:5?{Ls uid=UID:6?s
authorization.v1.SubjectAccessReviewStatus allowed:1b denied:4?b reason:2?s evaluationError:3?s
authorization.v1.SubjectRulesReviewStatus resourceRules:1[@ResourceRule nonResourceRules:2[@NonResourceRule incomplete:3b evaluationError:4?s
autoscaling.v1.CrossVersionObjectReference kind:1s name:2s apiVersion=APIVersion:3?s
autoscaling.v1.HorizontalPodAutoscaler metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@HorizontalPodAutoscalerSpec status:3?@HorizontalPodAutoscalerStatus
autoscaling.v1.HorizontalPodAutoscalerSpec scaleTargetRef:1@CrossVersionObjectReference minReplicas:2?*i maxReplicas:3i targetCPUUtilizationPercentage:4?*i
autoscaling.v1.HorizontalPodAutoscalerStatus observedGeneration:1?*i lastScaleTime:2?*T currentReplicas:3i desiredReplicas:4i currentCPUUtilizationPercentage:5?*i
autoscaling.v1.Scale metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@ScaleSpec status:3?@ScaleStatus
autoscaling.v1.ScaleSpec replicas:1?i
autoscaling.v1.ScaleStatus replicas:1i selector:2?s
autoscaling.v2.ContainerResourceMetricSource name:1s target:2@MetricTarget container:3s
autoscaling.v2.ContainerResourceMetricStatus name:1s current:2@MetricValueStatus container:3s
autoscaling.v2.CrossVersionObjectReference kind:1s name:2s apiVersion=APIVersion:3?s
autoscaling.v2.ExternalMetricSource metric:1@MetricIdentifier target:2@MetricTarget
autoscaling.v2.ExternalMetricStatus metric:1@MetricIdentifier current:2@MetricValueStatus
autoscaling.v2.HPAScalingPolicy type:1s value:2i periodSeconds:3i
autoscaling.v2.HPAScalingRules stabilizationWindowSeconds:3?*i selectPolicy:1?*s policies:2?[@HPAScalingPolicy tolerance:4?*Q
autoscaling.v2.HorizontalPodAutoscaler metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@HorizontalPodAutoscalerSpec status:3?@HorizontalPodAutoscalerStatus
autoscaling.v2.HorizontalPodAutoscalerBehavior scaleUp:1?*@HPAScalingRules scaleDown:2?*@HPAScalingRules
autoscaling.v2.HorizontalPodAutoscalerCondition type:1s status:2s lastTransitionTime:3?T reason:4?s message:5?s
autoscaling.v2.HorizontalPodAutoscalerSpec scaleTargetRef:1@CrossVersionObjectReference minReplicas:2?*i maxReplicas:3i metrics:4?[@MetricSpec behavior:5?*@HorizontalPodAutoscalerBehavior
autoscaling.v2.HorizontalPodAutoscalerStatus observedGeneration:1?*i lastScaleTime:2?*T currentReplicas:3?i desiredReplicas:4i currentMetrics:5[@MetricStatus conditions:6?[@HorizontalPodAutoscalerCondition
autoscaling.v2.MetricIdentifier name:1s selector:2?*@meta.v1.LabelSelector
autoscaling.v2.MetricSpec type:1s object:2?*@ObjectMetricSource pods:3?*@PodsMetricSource resource:4?*@ResourceMetricSource containerResource:7?*@ContainerResourceMetricSource external:5?*@ExternalMetricSource
autoscaling.v2.MetricStatus type:1s object:2?*@ObjectMetricStatus pods:3?*@PodsMetricStatus resource:4?*@ResourceMetricStatus containerResource:7?*@ContainerResourceMetricStatus external:5?*@ExternalMetricStatus
autoscaling.v2.MetricTarget type:1s value:2?*Q averageValue:3?*Q averageUtilization:4?*i
autoscaling.v2.MetricValueStatus value:1?*Q averageValue:2?*Q averageUtilization:3?*i
autoscaling.v2.ObjectMetricSource describedObject:1@CrossVersionObjectReference target:2@MetricTarget metric:3@MetricIdentifier
autoscaling.v2.ObjectMetricStatus metric:1@MetricIdentifier current:2@MetricValueStatus describedObject:3@CrossVersionObjectReference
autoscaling.v2.PodsMetricSource metric:1@MetricIdentifier target:2@MetricTarget
autoscaling.v2.PodsMetricStatus metric:1@MetricIdentifier current:2@MetricValueStatus
autoscaling.v2.ResourceMetricSource name:1s target:2@MetricTarget
autoscaling.v2.ResourceMetricStatus name:1s current:2@MetricValueStatus
batch.v1.CronJob metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@CronJobSpec status:3?@CronJobStatus
batch.v1.CronJobSpec schedule:1s timeZone:8?*s startingDeadlineSeconds:2?*i concurrencyPolicy:3?s suspend:4?*b jobTemplate:5@JobTemplateSpec successfulJobsHistoryLimit:6?*i failedJobsHistoryLimit:7?*i
batch.v1.CronJobStatus active:1?[@core.v1.ObjectReference lastScheduleTime:4?*T lastSuccessfulTime:5?*T
batch.v1.Job metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@JobSpec status:3?@JobStatus
batch.v1.JobCondition type:1s status:2s lastProbeTime:3?T lastTransitionTime:4?T reason:5?s message:6?s
batch.v1.JobSpec parallelism:1?*i completions:2?*i activeDeadlineSeconds:3?*i podFailurePolicy:11?*@PodFailurePolicy successPolicy:16?*@SuccessPolicy backoffLimit:7?*i backoffLimitPerIndex:12?*i maxFailedIndexes:13?*i selector:4?*@meta.v1.LabelSelector manualSelector:5?*b template:6@core.v1.PodTemplateSpec ttlSecondsAfterFinished=TTLSecondsAfterFinished:8?*i completionMode:9?*s suspend:10?*b podReplacementPolicy:14?*s managedBy:15?*s
batch.v1.JobStatus conditions:1?[@JobCondition startTime:2?*T completionTime:3?*T active:4?i succeeded:5?i failed:6?i terminating:11?*i completedIndexes:7?s failedIndexes:10?*s uncountedTerminatedPods:8?*@UncountedTerminatedPods ready:9?*i
batch.v1.JobTemplateSpec metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@JobSpec
batch.v1.PodFailurePolicy rules:1[@PodFailurePolicyRule
batch.v1.PodFailurePolicyOnExitCodesRequirement containerName:1?*s operator:2s values:3[i
batch.v1.PodFailurePolicyOnPodConditionsPattern type:1s status:2s
batch.v1.PodFailurePolicyRule action:1s onExitCodes:2?*@PodFailurePolicyOnExitCodesRequirement onPodConditions:3?[@PodFailurePolicyOnPodConditionsPattern
batch.v1.SuccessPolicy rules:1[@SuccessPolicyRule
batch.v1.SuccessPolicyRule succeededIndexes:1?*s succeededCount:2?*i
batch.v1.UncountedTerminatedPods succeeded:1?[s failed:2?[s
certificates.v1.CertificateSigningRequest metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@CertificateSigningRequestSpec status:3?@CertificateSigningRequestStatus
certificates.v1.CertificateSigningRequestCondition type:1s status:6s reason:2?s message:3?s lastUpdateTime:4?T lastTransitionTime:5?T
certificates.v1.CertificateSigningRequestSpec request:1y signerName:7s expirationSeconds:8?*i usages:5?[s username:2?s uid=UID:3?s groups:4?[s extra:6?{Ls
certificates.v1.CertificateSigningRequestStatus conditions:1?[@CertificateSigningRequestCondition certificate:2?y
coordination.v1.Lease metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@LeaseSpec
coordination.v1.LeaseSpec holderIdentity:1?*s leaseDurationSeconds:2?*i acquireTime:3?*U renewTime:4?*U leaseTransitions:5?*i strategy:6?*s preferredHolder:7?*s
core.v1.AWSElasticBlockStoreVolumeSource volumeID:1s fsType=FSType:2?s partition:3?i readOnly:4?b
core.v1.Affinity nodeAffinity:1?*@NodeAffinity podAffinity:2?*@PodAffinity podAntiAffinity:3?*@PodAntiAffinity
core.v1.AppArmorProfile type:1s localhostProfile:2?*s
core.v1.AttachedVolume name:1s devicePath:2s
core.v1.AzureDiskVolumeSource diskName:1s diskURI=DataDiskURI:2s cachingMode:3?*s fsType=FSType:4?*s readOnly:5?*b kind:6?*s
core.v1.AzureFilePersistentVolumeSource secretName:1s shareName:2s readOnly:3?b secretNamespace:4*s
core.v1.AzureFileVolumeSource secretName:1s shareName:2s readOnly:3?b
core.v1.Binding metadata=ObjectMeta:1?@meta.v1.ObjectMeta target:2@ObjectReference
core.v1.CSIPersistentVolumeSource driver:1s volumeHandle:2s readOnly:3?b fsType=FSType:4?s volumeAttributes:5?{s controllerPublishSecretRef:6?*@SecretReference nodeStageSecretRef:7?*@SecretReference nodePublishSecretRef:8?*@SecretReference controllerExpandSecretRef:9?*@SecretReference nodeExpandSecretRef:10?*@SecretReference
core.v1.CSIVolumeSource driver:1s readOnly:2?*b fsType=FSType:3?*s volumeAttributes:4?{s nodePublishSecretRef:5?*@LocalObjectReference
core.v1.Capabilities add:1?[s drop:2?[s
core.v1.CephFSPersistentVolumeSource monitors:1[s path:2?s user:3?s secretFile:4?s secretRef:5?*@SecretReference readOnly:6?b
core.v1.CephFSVolumeSource monitors:1[s path:2?s user:3?s secretFile:4?s secretRef:5?*@LocalObjectReference readOnly:6?b
core.v1.CinderPersistentVolumeSource volumeID:1s fsType=FSType:2?s readOnly:3?b secretRef:4?*@SecretReference
core.v1.CinderVolumeSource volumeID:1s fsType=FSType:2?s readOnly:3?b secretRef:4?*@LocalObjectReference
core.v1.ClientIPConfig timeoutSeconds:1?*i
core.v1.ClusterTrustBundleProjection name:1?*s signerName:2?*s labelSelector:3?*@meta.v1.LabelSelector optional:5?*b path:4s
core.v1.ComponentCondition type:1s status:2s message:3?s error:4?s
core.v1.ComponentStatus metadata=ObjectMeta:1?@meta.v1.ObjectMeta conditions:2?[@ComponentCondition
core.v1.ConfigMap metadata=ObjectMeta:1?@meta.v1.ObjectMeta immutable:4?*b data:2?{s binaryData:3?{y
core.v1.ConfigMapEnvSource =LocalObjectReference:1+@LocalObjectReference optional:2?*b
core.v1.ConfigMapKeySelector =LocalObjectReference:1+@LocalObjectReference key:2s optional:3?*b
core.v1.ConfigMapNodeConfigSource namespace:1s name:2s uid=UID:3?s resourceVersion:4?s kubeletConfigKey:5s
core.v1.ConfigMapProjection =LocalObjectReference:1+@LocalObjectReference items:2?[@KeyToPath optional:4?*b
core.v1.ConfigMapVolumeSource =LocalObjectReference:1+@LocalObjectReference items:2?[@KeyToPath defaultMode:3?*i optional:4?*b
core.v1.Container name:1s image:2?s command:3?[s args:4?[s workingDir:5?s ports:6?[@ContainerPort envFrom:19?[@EnvFromSource env:7?[@EnvVar resources:8?@ResourceRequirements resizePolicy:23?[@ContainerResizePolicy restartPolicy:24?*s restartPolicyRules:25?[@ContainerRestartRule volumeMounts:9?[@VolumeMount volumeDevices:21?[@VolumeDevice livenessProbe:10?*@Probe readinessProbe:11?*@Probe startupProbe:22?*@Probe lifecycle:12?*@Lifecycle terminationMessagePath:13?s terminationMessagePolicy:20?s imagePullPolicy:14?s securityContext:15?*@SecurityContext stdin:16?b stdinOnce:17?b tty=TTY:18?b
core.v1.ContainerExtendedResourceRequest containerName:1s resourceName:2s requestName:3s
core.v1.ContainerImage names:1[s sizeBytes:2?i
core.v1.ContainerPort name:1?s hostPort:2?i containerPort:3i protocol:4?s hostIP:5?s
core.v1.ContainerResizePolicy resourceName:1s restartPolicy:2s
core.v1.ContainerRestartRule action:1?s exitCodes:2?*@ContainerRestartRuleOnExitCodes
core.v1.ContainerRestartRuleOnExitCodes operator:1?s values:2?[i
core.v1.ContainerState waiting:1?*@ContainerStateWaiting running:2?*@ContainerStateRunning terminated:3?*@ContainerStateTerminated
core.v1.ContainerStateRunning startedAt:1?T
core.v1.ContainerStateTerminated exitCode:1i signal:2?i reason:3?s message:4?s startedAt:5?T finishedAt:6?T containerID:7?s
core.v1.ContainerStateWaiting reason:1?s message:2?s
core.v1.ContainerStatus name:1s state:2?@ContainerState lastState=LastTerminationState:3?@ContainerState ready:4b restartCount:5i image:6s imageID:7s containerID:8?s started:9?*b allocatedResources:10?{Q resources:11?*@ResourceRequirements volumeMounts:12?[@VolumeMountStatus user:13?*@ContainerUser allocatedResourcesStatus:14?[@ResourceStatus stopSignal:15?*s
core.v1.ContainerUser linux:1?*@LinuxContainerUser
core.v1.DaemonEndpoint Port:1i
core.v1.DownwardAPIProjection items:1?[@DownwardAPIVolumeFile
core.v1.DownwardAPIVolumeFile path:1s fieldRef:2?*@ObjectFieldSelector resourceFieldRef:3?*@ResourceFieldSelector mode:4?*i
core.v1.DownwardAPIVolumeSource items:1?[@DownwardAPIVolumeFile defaultMode:2?*i
core.v1.EmptyDirVolumeSource medium:1?s sizeLimit:2?*Q
core.v1.EndpointAddress ip=IP:1s hostname:3?s nodeName:4?*s targetRef:2?*@ObjectReference
core.v1.EndpointPort name:1?s port:2i protocol:3?s appProtocol:4?*s
core.v1.EndpointSubset addresses:1?[@EndpointAddress notReadyAddresses:2?[@EndpointAddress ports:3?[@EndpointPort
core.v1.Endpoints metadata=ObjectMeta:1?@meta.v1.ObjectMeta subsets:2?[@EndpointSubset
core.v1.EnvFromSource prefix:1?s configMapRef:2?*@ConfigMapEnvSource secretRef:3?*@SecretEnvSource
core.v1.EnvVar name:1s value:2?s valueFrom:3?*@EnvVarSource
core.v1.EnvVarSource fieldRef:1?*@ObjectFieldSelector resourceFieldRef:2?*@ResourceFieldSelector configMapKeyRef:3?*@ConfigMapKeySelector secretKeyRef:4?*@SecretKeySelector fileKeyRef:5?*@FileKeySelector
core.v1.EphemeralContainer =EphemeralContainerCommon:1+@EphemeralContainerCommon targetContainerName:2?s
core.v1.EphemeralContainerCommon name:1s image:2?s command:3?[s args:4?[s workingDir:5?s ports:6?[@ContainerPort envFrom:19?[@EnvFromSource env:7?[@EnvVar resources:8?@ResourceRequirements resizePolicy:23?[@ContainerResizePolicy restartPolicy:24?*s restartPolicyRules:25?[@ContainerRestartRule volumeMounts:9?[@VolumeMount volumeDevices:21?[@VolumeDevice livenessProbe:10?*@Probe readinessProbe:11?*@Probe startupProbe:22?*@Probe lifecycle:12?*@Lifecycle terminationMessagePath:13?s terminationMessagePolicy:20?s imagePullPolicy:14?s securityContext:15?*@SecurityContext stdin:16?b stdinOnce:17?b tty=TTY:18?b
core.v1.EphemeralVolumeSource volumeClaimTemplate:1?*@PersistentVolumeClaimTemplate
core.v1.Event metadata=ObjectMeta:1@meta.v1.ObjectMeta involvedObject:2@ObjectReference reason:3?s message:4?s source:5?@EventSource firstTimestamp:6?T lastTimestamp:7?T count:8?i type:9?s eventTime:10?U series:11?*@EventSeries action:12?s related:13?*@ObjectReference reportingComponent=ReportingController:14s reportingInstance:15s
core.v1.EventSeries count:1?i lastObservedTime:2?U
core.v1.EventSource component:1?s host:2?s
core.v1.ExecAction command:1?[s
core.v1.FCVolumeSource targetWWNs:1?[s lun:2?*i fsType=FSType:3?s readOnly:4?b wwids=WWIDs:5?[s
core.v1.FileKeySelector volumeName:1s path:2s key:3s optional:4?*b
core.v1.FlexPersistentVolumeSource driver:1s fsType=FSType:2?s secretRef:3?*@SecretReference readOnly:4?b options:5?{s
core.v1.FlexVolumeSource driver:1s fsType=FSType:2?s secretRef:3?*@LocalObjectReference readOnly:4?b options:5?{s
core.v1.FlockerVolumeSource datasetName:1?s datasetUUID:2?s
core.v1.GCEPersistentDiskVolumeSource pdName=PDName:1s fsType=FSType:2?s partition:3?i readOnly:4?b
core.v1.GRPCAction port:1i service:2*s
core.v1.GitRepoVolumeSource repository:1s revision:2?s directory:3?s
core.v1.GlusterfsPersistentVolumeSource endpoints=EndpointsName:1s path:2s readOnly:3?b endpointsNamespace:4?*s
core.v1.GlusterfsVolumeSource endpoints=EndpointsName:1s path:2s readOnly:3?b
core.v1.HTTPGetAction path:1?s port:2I host:3?s scheme:4?s httpHeaders=HTTPHeaders:5?[@HTTPHeader
core.v1.HTTPHeader name:1s value:2s
core.v1.HostAlias ip=IP:1s hostnames:2?[s
core.v1.HostIP ip=IP:1s
core.v1.HostPathVolumeSource path:1s type:2?*s
core.v1.ISCSIPersistentVolumeSource targetPortal:1s iqn=IQN:2s lun:3i iscsiInterface=ISCSIInterface:4?s fsType=FSType:5?s readOnly:6?b portals:7?[s chapAuthDiscovery=DiscoveryCHAPAuth:8?b chapAuthSession=SessionCHAPAuth:11?b secretRef:10?*@SecretReference initiatorName:12?*s
core.v1.ISCSIVolumeSource targetPortal:1s iqn=IQN:2s lun:3i iscsiInterface=ISCSIInterface:4?s fsType=FSType:5?s readOnly:6?b portals:7?[s chapAuthDiscovery=DiscoveryCHAPAuth:8?b chapAuthSession=SessionCHAPAuth:11?b secretRef:10?*@LocalObjectReference initiatorName:12?*s
core.v1.ImageVolumeSource reference:1?s pullPolicy:2?s
core.v1.ImageVolumeStatus imageRef:1?s
core.v1.KeyToPath key:1s path:2s mode:3?*i
core.v1.Lifecycle postStart:1?*@LifecycleHandler preStop:2?*@LifecycleHandler stopSignal:3?*s
core.v1.LifecycleHandler exec:1?*@ExecAction httpGet=HTTPGet:2?*@HTTPGetAction tcpSocket=TCPSocket:3?*@TCPSocketAction sleep:4?*@SleepAction
core.v1.LimitRange metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@LimitRangeSpec
core.v1.LimitRangeItem type:1s max:2?{Q min:3?{Q default:4?{Q defaultRequest:5?{Q maxLimitRequestRatio:6?{Q
core.v1.LimitRangeSpec limits:1[@LimitRangeItem
core.v1.LinuxContainerUser uid=UID:1i gid=GID:2i supplementalGroups:3?[i
core.v1.LoadBalancerIngress ip=IP:1?s hostname:2?s ipMode=IPMode:3?*s ports:4?[@PortStatus
core.v1.LoadBalancerStatus ingress:1?[@LoadBalancerIngress
core.v1.LocalObjectReference name:1?s
core.v1.LocalVolumeSource path:1s fsType=FSType:2?*s
core.v1.ModifyVolumeStatus targetVolumeAttributesClassName:1?s status:2s
core.v1.NFSVolumeSource server:1s path:2s readOnly:3?b
core.v1.Namespace metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@NamespaceSpec status:3?@NamespaceStatus
core.v1.NamespaceCondition type:1s status:2s lastTransitionTime:4?T reason:5?s message:6?s
core.v1.NamespaceSpec finalizers:1?[s
core.v1.NamespaceStatus phase:1?s conditions:2?[@NamespaceCondition
core.v1.Node metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@NodeSpec status:3?@NodeStatus
core.v1.NodeAddress type:1s address:2s
core.v1.NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:1?*@NodeSelector preferredDuringSchedulingIgnoredDuringExecution:2?[@PreferredSchedulingTerm
core.v1.NodeAllocatableResourceClaimStatus resourceClaimName:1s containers:2?[s resources:3{Q
core.v1.NodeCondition type:1s status:2s lastHeartbeatTime:3?T lastTransitionTime:4?T reason:5?s message:6?s
core.v1.NodeConfigSource configMap:2?*@ConfigMapNodeConfigSource
core.v1.NodeConfigStatus assigned:1?*@NodeConfigSource active:2?*@NodeConfigSource lastKnownGood:3?*@NodeConfigSource error:4?s
core.v1.NodeDaemonEndpoints kubeletEndpoint:1?@DaemonEndpoint
core.v1.NodeFeatures supplementalGroupsPolicy:1?*b
core.v1.NodeRuntimeHandler name:1s features:2?*@NodeRuntimeHandlerFeatures
core.v1.NodeRuntimeHandlerFeatures recursiveReadOnlyMounts:1?*b userNamespaces:2?*b
core.v1.NodeSelector nodeSelectorTerms:1[@NodeSelectorTerm
core.v1.NodeSelectorRequirement key:1s operator:2s values:3?[s
core.v1.NodeSelectorTerm matchExpressions:1?[@NodeSelectorRequirement matchFields:2?[@NodeSelectorRequirement
core.v1.NodeSpec podCIDR:1?s podCIDRs:7?[s providerID:3?s unschedulable:4?b taints:5?[@Taint configSource:6?*@NodeConfigSource externalID=DoNotUseExternalID:2?s
core.v1.NodeStatus capacity:1?{Q allocatable:2?{Q phase:3?s conditions:4?[@NodeCondition addresses:5?[@NodeAddress daemonEndpoints:6?@NodeDaemonEndpoints nodeInfo:7?@NodeSystemInfo images:8?[@ContainerImage volumesInUse:9?[s volumesAttached:10?[@AttachedVolume config:11?*@NodeConfigStatus runtimeHandlers:12?[@NodeRuntimeHandler features:13?*@NodeFeatures declaredFeatures:14?[s
core.v1.NodeSwapStatus capacity:1?*i
core.v1.NodeSystemInfo machineID:1s systemUUID:2s bootID:3s kernelVersion:4s osImage=OSImage:5s containerRuntimeVersion:6s kubeletVersion:7s kubeProxyVersion:8s operatingSystem:9s architecture:10s swap:11?*@NodeSwapStatus
core.v1.ObjectFieldSelector apiVersion=APIVersion:1?s fieldPath:2s
core.v1.ObjectReference kind:1?s namespace:2?s name:3?s uid=UID:4?s apiVersion=APIVersion:5?s resourceVersion:6?s fieldPath:7?s
core.v1.PersistentVolume metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@PersistentVolumeSpec status:3?@PersistentVolumeStatus
core.v1.PersistentVolumeClaim metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@PersistentVolumeClaimSpec status:3?@PersistentVolumeClaimStatus
core.v1.PersistentVolumeClaimCondition type:1s status:2s lastProbeTime:3?T lastTransitionTime:4?T reason:5?s message:6?s
core.v1.PersistentVolumeClaimSpec accessModes:1?[s selector:4?*@meta.v1.LabelSelector resources:2?@VolumeResourceRequirements volumeName:3?s storageClassName:5?*s volumeMode:6?*s dataSource:7?*@TypedLocalObjectReference dataSourceRef:8?*@TypedObjectReference volumeAttributesClassName:9?*s
core.v1.PersistentVolumeClaimStatus phase:1?s accessModes:2?[s capacity:3?{Q conditions:4?[@PersistentVolumeClaimCondition allocatedResources:5?{Q allocatedResourceStatuses:7?{s currentVolumeAttributesClassName:8?*s modifyVolumeStatus:9?*@ModifyVolumeStatus
core.v1.PersistentVolumeClaimTemplate metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@PersistentVolumeClaimSpec
core.v1.PersistentVolumeClaimVolumeSource claimName:1s readOnly:2?b
core.v1.PersistentVolumeSource gcePersistentDisk=GCEPersistentDisk:1?*@GCEPersistentDiskVolumeSource awsElasticBlockStore=AWSElasticBlockStore:2?*@AWSElasticBlockStoreVolumeSource hostPath:3?*@HostPathVolumeSource glusterfs:4?*@GlusterfsPersistentVolumeSource nfs=NFS:5?*@NFSVolumeSource rbd=RBD:6?*@RBDPersistentVolumeSource iscsi=ISCSI:7?*@ISCSIPersistentVolumeSource cinder:8?*@CinderPersistentVolumeSource cephfs=CephFS:9?*@CephFSPersistentVolumeSource fc=FC:10?*@FCVolumeSource flocker:11?*@FlockerVolumeSource flexVolume:12?*@FlexPersistentVolumeSource azureFile:13?*@AzureFilePersistentVolumeSource vsphereVolume:14?*@VsphereVirtualDiskVolumeSource quobyte:15?*@QuobyteVolumeSource azureDisk:16?*@AzureDiskVolumeSource photonPersistentDisk:17?*@PhotonPersistentDiskVolumeSource portworxVolume:18?*@PortworxVolumeSource scaleIO:19?*@ScaleIOPersistentVolumeSource local:20?*@LocalVolumeSource storageos=StorageOS:21?*@StorageOSPersistentVolumeSource csi=CSI:22?*@CSIPersistentVolumeSource
core.v1.PersistentVolumeSpec capacity:1?{Q =PersistentVolumeSource:2+@PersistentVolumeSource accessModes:3?[s claimRef:4?*@ObjectReference persistentVolumeReclaimPolicy:5?s storageClassName:6?s mountOptions:7?[s volumeMode:8?*s nodeAffinity:9?*@VolumeNodeAffinity volumeAttributesClassName:10?*s
core.v1.PersistentVolumeStatus phase:1?s message:2?s reason:3?s lastPhaseTransitionTime:4?*T
core.v1.PhotonPersistentDiskVolumeSource pdID:1s fsType=FSType:2?s
core.v1.Pod metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@PodSpec status:3?@PodStatus
core.v1.PodAffinity requiredDuringSchedulingIgnoredDuringExecution:1?[@PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2?[@WeightedPodAffinityTerm
core.v1.PodAffinityTerm labelSelector:1?*@meta.v1.LabelSelector namespaces:2?[s topologyKey:3s namespaceSelector:4?*@meta.v1.LabelSelector matchLabelKeys:5?[s mismatchLabelKeys:6?[s
core.v1.PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution:1?[@PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2?[@WeightedPodAffinityTerm
core.v1.PodCertificateProjection signerName:1?s keyType:2?s maxExpirationSeconds:3?*i credentialBundlePath:4?s keyPath:5?s certificateChainPath:6?s userAnnotations:7?{s
core.v1.PodCondition type:1s observedGeneration:7?i status:2s lastProbeTime:3?T lastTransitionTime:4?T reason:5?s message:6?s
core.v1.PodDNSConfig nameservers:1?[s searches:2?[s options:3?[@PodDNSConfigOption
core.v1.PodDNSConfigOption name:1?s value:2?*s
core.v1.PodExtendedResourceClaimStatus requestMappings:1[@ContainerExtendedResourceRequest resourceClaimName:2s
core.v1.PodIP ip=IP:1s
core.v1.PodOS name:1s
core.v1.PodReadinessGate conditionType:1s
core.v1.PodResourceClaim name:1s resourceClaimName:3?*s resourceClaimTemplateName:4?*s
core.v1.PodResourceClaimStatus name:1s resourceClaimName:2?*s
core.v1.PodSchedulingGate name:1s
core.v1.PodSchedulingGroup podGroupName:1?*s
core.v1.PodSecurityContext seLinuxOptions=SELinuxOptions:1?*@SELinuxOptions windowsOptions:8?*@WindowsSecurityContextOptions runAsUser:2?*i runAsGroup:6?*i runAsNonRoot:3?*b supplementalGroups:4?[i supplementalGroupsPolicy:12?*s fsGroup=FSGroup:5?*i sysctls:7?[@Sysctl fsGroupChangePolicy=FSGroupChangePolicy:9?*s seccompProfile:10?*@SeccompProfile appArmorProfile:11?*@AppArmorProfile seLinuxChangePolicy=SELinuxChangePolicy:13?*s
core.v1.PodSpec volumes:1?[@Volume initContainers:20?[@Container containers:2[@Container ephemeralContainers:34?[@EphemeralContainer restartPolicy:3?s terminationGracePeriodSeconds:4?*i activeDeadlineSeconds:5?*i dnsPolicy=DNSPolicy:6?s nodeSelector:7?{s serviceAccountName:8?s serviceAccount=DeprecatedServiceAccount:9?s automountServiceAccountToken:21?*b nodeName:10?s hostNetwork:11?b hostPID:12?b hostIPC:13?b shareProcessNamespace:27?*b securityContext:14?*@PodSecurityContext imagePullSecrets:15?[@LocalObjectReference hostname:16?s subdomain:17?s affinity:18?*@Affinity schedulerName:19?s tolerations:22?[@Toleration hostAliases:23?[@HostAlias priorityClassName:24?s priority:25?*i dnsConfig=DNSConfig:26?*@PodDNSConfig readinessGates:28?[@PodReadinessGate runtimeClassName:29?*s enableServiceLinks:30?*b preemptionPolicy:31?*s overhead:32?{Q topologySpreadConstraints:33?[@TopologySpreadConstraint setHostnameAsFQDN:35?*b os=OS:36?*@PodOS hostUsers:37?*b schedulingGates:38?[@PodSchedulingGate resourceClaims:39?[@PodResourceClaim resources:40?*@ResourceRequirements hostnameOverride:41?*s schedulingGroup:43?*@PodSchedulingGroup
core.v1.PodStatus observedGeneration:17?i phase:1?s conditions:2?[@PodCondition message:3?s reason:4?s nominatedNodeName:11?s hostIP:5?s hostIPs:16?[@HostIP podIP:6?s podIPs:12?[@PodIP startTime:7?*T initContainerStatuses:10?[@ContainerStatus containerStatuses:8?[@ContainerStatus qosClass=QOSClass:9?s ephemeralContainerStatuses:13?[@ContainerStatus resize:14?s resourceClaimStatuses:15?[@PodResourceClaimStatus extendedResourceClaimStatus:18?*@PodExtendedResourceClaimStatus allocatedResources:19?{Q resources:20?*@ResourceRequirements nodeAllocatableResourceClaimStatuses:21?[@NodeAllocatableResourceClaimStatus
core.v1.PodStatusResult metadata=ObjectMeta:1?@meta.v1.ObjectMeta status:2?@PodStatus
core.v1.PodTemplate metadata=ObjectMeta:1?@meta.v1.ObjectMeta template:2?@PodTemplateSpec
core.v1.PodTemplateSpec metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@PodSpec
core.v1.PortStatus port:1i protocol:2s error:3?*s
core.v1.PortworxVolumeSource volumeID:1s fsType=FSType:2?s readOnly:3?b
core.v1.PreferredSchedulingTerm weight:1i preference:2@NodeSelectorTerm
core.v1.Probe =ProbeHandler:1+@ProbeHandler initialDelaySeconds:2?i timeoutSeconds:3?i periodSeconds:4?i successThreshold:5?i failureThreshold:6?i terminationGracePeriodSeconds:7?*i
core.v1.ProbeHandler exec:1?*@ExecAction httpGet=HTTPGet:2?*@HTTPGetAction tcpSocket=TCPSocket:3?*@TCPSocketAction grpc=GRPC:4?*@GRPCAction
core.v1.ProjectedVolumeSource sources:1[@VolumeProjection defaultMode:2?*i
core.v1.QuobyteVolumeSource registry:1s volume:2s readOnly:3?b user:4?s group:5?s tenant:6?s
core.v1.RBDPersistentVolumeSource monitors=CephMonitors:1[s image=RBDImage:2s fsType=FSType:3?s pool=RBDPool:4?s user=RadosUser:5?s keyring:6?s secretRef:7?*@SecretReference readOnly:8?b
core.v1.RBDVolumeSource monitors=CephMonitors:1[s image=RBDImage:2s fsType=FSType:3?s pool=RBDPool:4?s user=RadosUser:5?s keyring:6?s secretRef:7?*@LocalObjectReference readOnly:8?b
core.v1.RangeAllocation metadata=ObjectMeta:1?@meta.v1.ObjectMeta range:2s data:3y
core.v1.ReplicationController metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@ReplicationControllerSpec status:3?@ReplicationControllerStatus
core.v1.ReplicationControllerCondition type:1s status:2s lastTransitionTime:3?T reason:4?s message:5?s
core.v1.ReplicationControllerSpec replicas:1?*i minReadySeconds:4?i selector:2?{s template:3?*@PodTemplateSpec
core.v1.ReplicationControllerStatus replicas:1i fullyLabeledReplicas:2?i readyReplicas:4?i availableReplicas:5?i observedGeneration:3?i conditions:6?[@ReplicationControllerCondition
core.v1.ResourceClaim name:1s request:2?s
core.v1.ResourceFieldSelector containerName:1?s resource:2s divisor:3?Q
core.v1.ResourceHealth resourceID:1s health:2?s message:6?*s
core.v1.ResourceQuota metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@ResourceQuotaSpec status:3?@ResourceQuotaStatus
core.v1.ResourceQuotaSpec hard:1?{Q scopes:2?[s scopeSelector:3?*@ScopeSelector
core.v1.ResourceQuotaStatus hard:1?{Q used:2?{Q
core.v1.ResourceRequirements limits:1?{Q requests:2?{Q claims:3?[@ResourceClaim
core.v1.ResourceStatus name:1s resources:2?[@ResourceHealth
core.v1.SELinuxOptions user:1?s role:2?s type:3?s level:4?s
core.v1.ScaleIOPersistentVolumeSource gateway:1s system:2s secretRef:3*@SecretReference sslEnabled=SSLEnabled:4?b protectionDomain:5?s storagePool:6?s storageMode:7?s volumeName:8?s fsType=FSType:9?s readOnly:10?b
core.v1.ScaleIOVolumeSource gateway:1s system:2s secretRef:3*@LocalObjectReference sslEnabled=SSLEnabled:4?b protectionDomain:5?s storagePool:6?s storageMode:7?s volumeName:8?s fsType=FSType:9?s readOnly:10?b
core.v1.ScopeSelector matchExpressions:1?[@ScopedResourceSelectorRequirement
core.v1.ScopedResourceSelectorRequirement scopeName:1s operator:2s values:3?[s
core.v1.SeccompProfile type:1s localhostProfile:2?*s
core.v1.Secret metadata=ObjectMeta:1?@meta.v1.ObjectMeta immutable:5?*b data:2?{y stringData:4?{s type:3?s
core.v1.SecretEnvSource =LocalObjectReference:1+@LocalObjectReference optional:2?*b
core.v1.SecretKeySelector =LocalObjectReference:1+@LocalObjectReference key:2s optional:3?*b
core.v1.SecretProjection =LocalObjectReference:1+@LocalObjectReference items:2?[@KeyToPath optional:4?*b
core.v1.SecretReference name:1?s namespace:2?s
core.v1.SecretVolumeSource secretName:1?s items:2?[@KeyToPath defaultMode:3?*i optional:4?*b
core.v1.SecurityContext capabilities:1?*@Capabilities privileged:2?*b seLinuxOptions=SELinuxOptions:3?*@SELinuxOptions windowsOptions:10?*@WindowsSecurityContextOptions runAsUser:4?*i runAsGroup:8?*i runAsNonRoot:5?*b readOnlyRootFilesystem:6?*b allowPrivilegeEscalation:7?*b procMount:9?*s seccompProfile:11?*@SeccompProfile appArmorProfile:12?*@AppArmorProfile
core.v1.Service metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@ServiceSpec status:3?@ServiceStatus
core.v1.ServiceAccount metadata=ObjectMeta:1?@meta.v1.ObjectMeta secrets:2?[@ObjectReference imagePullSecrets:3?[@LocalObjectReference automountServiceAccountToken:4?*b
core.v1.ServiceAccountTokenProjection audience:1?s expirationSeconds:2?*i path:3s
core.v1.ServicePort name:1?s protocol:2?s appProtocol:6?*s port:3i targetPort:4?I nodePort:5?i
core.v1.ServiceSpec ports:1?[@ServicePort selector:2?{s clusterIP:3?s clusterIPs:18?[s type:4?s externalIPs:5?[s sessionAffinity:7?s loadBalancerIP:8?s loadBalancerSourceRanges:9?[s externalName:10?s externalTrafficPolicy:11?s healthCheckNodePort:12?i publishNotReadyAddresses:13?b sessionAffinityConfig:14?*@SessionAffinityConfig ipFamilies=IPFamilies:19?[s ipFamilyPolicy=IPFamilyPolicy:17?*s allocateLoadBalancerNodePorts:20?*b loadBalancerClass:21?*s internalTrafficPolicy:22?*s trafficDistribution:23?*s
core.v1.ServiceStatus loadBalancer:1?@LoadBalancerStatus conditions:2?[@meta.v1.Condition
core.v1.SessionAffinityConfig clientIP:1?*@ClientIPConfig
core.v1.SleepAction seconds:1i
core.v1.StorageOSPersistentVolumeSource volumeName:1?s volumeNamespace:2?s fsType=FSType:3?s readOnly:4?b secretRef:5?*@ObjectReference
core.v1.StorageOSVolumeSource volumeName:1?s volumeNamespace:2?s fsType=FSType:3?s readOnly:4?b secretRef:5?*@LocalObjectReference
core.v1.Sysctl name:1s value:2s
core.v1.TCPSocketAction port:1I host:2?s
core.v1.Taint key:1s value:2?s effect:3s timeAdded:4?*T
core.v1.Toleration key:1?s operator:2?s value:3?s effect:4?s tolerationSeconds:5?*i
core.v1.TopologySelectorLabelRequirement key:1s values:2[s
core.v1.TopologySelectorTerm matchLabelExpressions:1?[@TopologySelectorLabelRequirement
core.v1.TopologySpreadConstraint maxSkew:1i topologyKey:2s whenUnsatisfiable:3s labelSelector:4?*@meta.v1.LabelSelector minDomains:5?*i nodeAffinityPolicy:6?*s nodeTaintsPolicy:7?*s matchLabelKeys:8?[s
core.v1.TypedLocalObjectReference apiGroup=APIGroup:1*s kind:2s name:3s
core.v1.TypedObjectReference apiGroup=APIGroup:1*s kind:2s name:3s namespace:4?*s
core.v1.Volume name:1s =VolumeSource:2+@VolumeSource
core.v1.VolumeDevice name:1s devicePath:2s
core.v1.VolumeMount name:1s readOnly:2?b recursiveReadOnly:7?*s mountPath:3s subPath:4?s mountPropagation:5?*s subPathExpr:6?s
core.v1.VolumeMountStatus name:1s mountPath:2s readOnly:3?b recursiveReadOnly:4?*s volumeStatus:5?*@VolumeStatus
core.v1.VolumeNodeAffinity required:1?*@NodeSelector
core.v1.VolumeProjection secret:1?*@SecretProjection downwardAPI:2?*@DownwardAPIProjection configMap:3?*@ConfigMapProjection serviceAccountToken:4?*@ServiceAccountTokenProjection clusterTrustBundle:5?*@ClusterTrustBundleProjection podCertificate:6?*@PodCertificateProjection
core.v1.VolumeResourceRequirements limits:1?{Q requests:2?{Q
core.v1.VolumeSource hostPath:1?*@HostPathVolumeSource emptyDir:2?*@EmptyDirVolumeSource gcePersistentDisk=GCEPersistentDisk:3?*@GCEPersistentDiskVolumeSource awsElasticBlockStore=AWSElasticBlockStore:4?*@AWSElasticBlockStoreVolumeSource gitRepo:5?*@GitRepoVolumeSource secret:6?*@SecretVolumeSource nfs=NFS:7?*@NFSVolumeSource iscsi=ISCSI:8?*@ISCSIVolumeSource glusterfs:9?*@GlusterfsVolumeSource persistentVolumeClaim:10?*@PersistentVolumeClaimVolumeSource rbd=RBD:11?*@RBDVolumeSource flexVolume:12?*@FlexVolumeSource cinder:13?*@CinderVolumeSource cephfs=CephFS:14?*@CephFSVolumeSource flocker:15?*@FlockerVolumeSource downwardAPI:16?*@DownwardAPIVolumeSource fc=FC:17?*@FCVolumeSource azureFile:18?*@AzureFileVolumeSource configMap:19?*@ConfigMapVolumeSource vsphereVolume:20?*@VsphereVirtualDiskVolumeSource quobyte:21?*@QuobyteVolumeSource azureDisk:22?*@AzureDiskVolumeSource photonPersistentDisk:23?*@PhotonPersistentDiskVolumeSource projected:26?*@ProjectedVolumeSource portworxVolume:24?*@PortworxVolumeSource scaleIO:25?*@ScaleIOVolumeSource storageos=StorageOS:27?*@StorageOSVolumeSource csi=CSI:28?*@CSIVolumeSource ephemeral:29?*@EphemeralVolumeSource image:30?*@ImageVolumeSource
core.v1.VolumeStatus image:1?*@ImageVolumeStatus
core.v1.VsphereVirtualDiskVolumeSource volumePath:1s fsType=FSType:2?s storagePolicyName:3?s storagePolicyID:4?s
core.v1.WeightedPodAffinityTerm weight:1i podAffinityTerm:2@PodAffinityTerm
core.v1.WindowsSecurityContextOptions gmsaCredentialSpecName=GMSACredentialSpecName:1?*s gmsaCredentialSpec=GMSACredentialSpec:2?*s runAsUserName:3?*s hostProcess:4?*b
discovery.v1.Endpoint addresses:1[s conditions:2?@EndpointConditions hostname:3?*s targetRef:4?*@core.v1.ObjectReference deprecatedTopology:5?{s nodeName:6?*s zone:7?*s hints:8?*@EndpointHints
discovery.v1.EndpointConditions ready:1?*b serving:2?*b terminating:3?*b
discovery.v1.EndpointHints forZones:1?[@ForZone forNodes:2?[@ForNode
discovery.v1.EndpointPort name:1?*s protocol:2?*s port:3?*i appProtocol:4?*s
discovery.v1.EndpointSlice metadata=ObjectMeta:1?@meta.v1.ObjectMeta addressType:4s endpoints:2[@Endpoint ports:3[@EndpointPort
discovery.v1.ForNode name:1s
discovery.v1.ForZone name:1s
events.v1.Event metadata=ObjectMeta:1@meta.v1.ObjectMeta eventTime:2U series:3?*@EventSeries reportingController:4?s reportingInstance:5?s action:6?s reason:7?s regarding:8?@core.v1.ObjectReference related:9?*@core.v1.ObjectReference note:10?s type:11?s deprecatedSource:12?@core.v1.EventSource deprecatedFirstTimestamp:13?T deprecatedLastTimestamp:14?T deprecatedCount:15?i
events.v1.EventSeries count:1i lastObservedTime:2U
meta.v1.Condition type:1s status:2s observedGeneration:3?i lastTransitionTime:4T reason:5s message:6s
meta.v1.DeleteOptions gracePeriodSeconds:1?*i preconditions:2?*@Preconditions orphanDependents:3?*b propagationPolicy:4?*s dryRun:5?[s ignoreStoreReadErrorWithClusterBreakingPotential:6?*b
meta.v1.FieldSelectorRequirement key:1s operator:2s values:3?[s
meta.v1.LabelSelector matchLabels:1?{s matchExpressions:2?[@LabelSelectorRequirement
meta.v1.LabelSelectorRequirement key:1s operator:2s values:3?[s
meta.v1.ManagedFieldsEntry manager:1?s operation:2?s apiVersion=APIVersion:3?s time:4?*T fieldsType:6?s fieldsV1:7?*F subresource:8?s
meta.v1.ObjectMeta name:1?s generateName:2?s namespace:3?s selfLink:4?s uid=UID:5?s resourceVersion:6?s generation:7?i creationTimestamp:8!T deletionTimestamp:9?*T deletionGracePeriodSeconds:10?*i labels:11?{s annotations:12?{s ownerReferences:13?[@OwnerReference finalizers:14?[s managedFields:17?[@ManagedFieldsEntry
meta.v1.OwnerReference apiVersion=APIVersion:5s kind:1s name:3s uid=UID:4s controller:6?*b blockOwnerDeletion:7?*b
meta.v1.Preconditions uid=UID:1?*s resourceVersion:2?*s
networking.v1.HTTPIngressPath path:1?s pathType:3*s backend:2@IngressBackend
networking.v1.HTTPIngressRuleValue paths:1[@HTTPIngressPath
networking.v1.IPAddress metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@IPAddressSpec
networking.v1.IPAddressSpec parentRef:1?*@ParentReference
networking.v1.IPBlock cidr=CIDR:1s except:2?[s
networking.v1.Ingress metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@IngressSpec status:3?@IngressStatus
networking.v1.IngressBackend service:4?*@IngressServiceBackend resource:3?*@core.v1.TypedLocalObjectReference
networking.v1.IngressClass metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@IngressClassSpec
networking.v1.IngressClassParametersReference apiGroup=APIGroup:1?*s kind:2s name:3s scope:4*s namespace:5?*s
networking.v1.IngressClassSpec controller:1?s parameters:2?*@IngressClassParametersReference
networking.v1.IngressLoadBalancerIngress ip=IP:1?s hostname:2?s ports:4?[@IngressPortStatus
networking.v1.IngressLoadBalancerStatus ingress:1?[@IngressLoadBalancerIngress
networking.v1.IngressPortStatus port:1i protocol:2s error:3?*s
networking.v1.IngressRule host:1?s =IngressRuleValue:2+@IngressRuleValue
networking.v1.IngressRuleValue http=HTTP:1?*@HTTPIngressRuleValue
networking.v1.IngressServiceBackend name:1s port:2?@ServiceBackendPort
networking.v1.IngressSpec ingressClassName:4?*s defaultBackend:1?*@IngressBackend tls=TLS:2?[@IngressTLS rules:3?[@IngressRule
networking.v1.IngressStatus loadBalancer:1?@IngressLoadBalancerStatus
networking.v1.IngressTLS hosts:1?[s secretName:2?s
networking.v1.NetworkPolicy metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@NetworkPolicySpec
networking.v1.NetworkPolicyEgressRule ports:1?[@NetworkPolicyPort to:2?[@NetworkPolicyPeer
networking.v1.NetworkPolicyIngressRule ports:1?[@NetworkPolicyPort from:2?[@NetworkPolicyPeer
networking.v1.NetworkPolicyPeer podSelector:1?*@meta.v1.LabelSelector namespaceSelector:2?*@meta.v1.LabelSelector ipBlock=IPBlock:3?*@IPBlock
networking.v1.NetworkPolicyPort protocol:1?*s port:2?*I endPort:3?*i
networking.v1.NetworkPolicySpec podSelector:1@meta.v1.LabelSelector ingress:2?[@NetworkPolicyIngressRule egress:3?[@NetworkPolicyEgressRule policyTypes:4?[s
networking.v1.ParentReference group:1?s resource:2?s namespace:3?s name:4?s
networking.v1.ServiceBackendPort name:1?s number:2?i
networking.v1.ServiceCIDR metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@ServiceCIDRSpec status:3?@ServiceCIDRStatus
networking.v1.ServiceCIDRSpec cidrs=CIDRs:1?[s
networking.v1.ServiceCIDRStatus conditions:1?[@meta.v1.Condition
node.v1.Overhead podFixed:1?{Q
node.v1.RuntimeClass metadata=ObjectMeta:1?@meta.v1.ObjectMeta handler:2s overhead:3?*@Overhead scheduling:4?*@Scheduling
node.v1.Scheduling nodeSelector:1?{s tolerations:2?[@core.v1.Toleration
policy.v1.Eviction metadata=ObjectMeta:1?@meta.v1.ObjectMeta deleteOptions:2?*@meta.v1.DeleteOptions
policy.v1.PodDisruptionBudget metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2?@PodDisruptionBudgetSpec status:3?@PodDisruptionBudgetStatus
policy.v1.PodDisruptionBudgetSpec minAvailable:1?*I selector:2?*@meta.v1.LabelSelector maxUnavailable:3?*I unhealthyPodEvictionPolicy:4?*s
policy.v1.PodDisruptionBudgetStatus observedGeneration:1?i disruptedPods:2?{T disruptionsAllowed:3i currentHealthy:4i desiredHealthy:5i expectedPods:6i conditions:7?[@meta.v1.Condition
rbac.v1.AggregationRule clusterRoleSelectors:1?[@meta.v1.LabelSelector
rbac.v1.ClusterRole metadata=ObjectMeta:1?@meta.v1.ObjectMeta rules:2[@PolicyRule aggregationRule:3?*@AggregationRule
rbac.v1.ClusterRoleBinding metadata=ObjectMeta:1?@meta.v1.ObjectMeta subjects:2?[@Subject roleRef:3@RoleRef
rbac.v1.PolicyRule verbs:1[s apiGroups=APIGroups:2?[s resources:3?[s resourceNames:4?[s nonResourceURLs:5?[s
rbac.v1.Role metadata=ObjectMeta:1?@meta.v1.ObjectMeta rules:2[@PolicyRule
rbac.v1.RoleBinding metadata=ObjectMeta:1?@meta.v1.ObjectMeta subjects:2?[@Subject roleRef:3@RoleRef
rbac.v1.RoleRef apiGroup=APIGroup:1s kind:2s name:3s
rbac.v1.Subject kind:1s apiGroup=APIGroup:2?s name:3s namespace:4?s
scheduling.v1.PriorityClass metadata=ObjectMeta:1?@meta.v1.ObjectMeta value:2i globalDefault:3?b description:4?s preemptionPolicy:5?*s
storage.v1.CSIDriver metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@CSIDriverSpec
storage.v1.CSIDriverSpec attachRequired:1?*b podInfoOnMount:2?*b volumeLifecycleModes:3?[s storageCapacity:4?*b fsGroupPolicy=FSGroupPolicy:5?*s tokenRequests:6?[@TokenRequest requiresRepublish:7?*b seLinuxMount=SELinuxMount:8?*b nodeAllocatableUpdatePeriodSeconds:9?*i serviceAccountTokenInSecrets:10?*b preventPodSchedulingIfMissing:11?*b
storage.v1.CSINode metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@CSINodeSpec
storage.v1.CSINodeDriver name:1s nodeID:2s topologyKeys:3[s allocatable:4?*@VolumeNodeResources
storage.v1.CSINodeSpec drivers:1[@CSINodeDriver
storage.v1.CSIStorageCapacity metadata=ObjectMeta:1?@meta.v1.ObjectMeta nodeTopology:2?*@meta.v1.LabelSelector storageClassName:3s capacity:4?*Q maximumVolumeSize:5?*Q
storage.v1.StorageClass metadata=ObjectMeta:1?@meta.v1.ObjectMeta provisioner:2s parameters:3?{s reclaimPolicy:4?*s mountOptions:5?[s allowVolumeExpansion:6?*b volumeBindingMode:7?*s allowedTopologies:8?[@core.v1.TopologySelectorTerm
storage.v1.TokenRequest audience:1s expirationSeconds:2?*i
storage.v1.VolumeAttachment metadata=ObjectMeta:1?@meta.v1.ObjectMeta spec:2@VolumeAttachmentSpec status:3?@VolumeAttachmentStatus
storage.v1.VolumeAttachmentSource persistentVolumeName:1?*s inlineVolumeSpec:2?*@core.v1.PersistentVolumeSpec
storage.v1.VolumeAttachmentSpec attacher:1s source:2@VolumeAttachmentSource nodeName:3s
storage.v1.VolumeAttachmentStatus attached:1b attachmentMetadata:2?{s attachError:3?*@VolumeError detachError:4?*@VolumeError
storage.v1.VolumeAttributesClass metadata=ObjectMeta:1?@meta.v1.ObjectMeta driverName:2s parameters:3?{s
storage.v1.VolumeError time:1?T message:2?s errorCode:3?*i
storage.v1.VolumeNodeResources count:1?*i
`;
